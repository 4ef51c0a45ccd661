import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { encodeFrame } from "@/lib/frames/encode";
import { Trajectory } from "@/lib/trajectory/trajectory";
import { loaded } from "./recordMovie";

// The client reads the origin when its module is loaded.
vi.hoisted(() => vi.stubGlobal("location", { origin: "http://workroom.test" }));

beforeEach(() => {
  vi.stubGlobal("fetch", async () => {
    const headers = { "Workroom-Revision": "1", "Content-Type": "application/vnd.workroom.frames" };
    return new Response(encodeFrame({ "info.note": "a frame" }), { headers });
  });
});

afterEach(() => vi.unstubAllGlobals());

test("an error from before the movie does not end it", async () => {
  const trajectory = new Trajectory("lab");
  trajectory.reset(3, 1);
  trajectory.lastError = new Error("The server cannot be reached.");
  const frame = await loaded(trajectory, 1, new AbortController().signal);
  expect(frame.get("info.note")).toBe("a frame");
});

test("an error of a frame of the movie ends it", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ code: "broken", detail: "No." }, { status: 500 }));
  const trajectory = new Trajectory("lab");
  trajectory.reset(3, 1);
  await expect(loaded(trajectory, 1, new AbortController().signal)).rejects.toThrow("No.");
});
