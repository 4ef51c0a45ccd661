import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { encodeFrame } from "@/lib/frames/encode";
import { Trajectory } from "./trajectory";

beforeEach(() => {
  vi.stubGlobal("location", { origin: "http://workroom.test" });
  // A server that has as many frames as anybody asks for, at revision 1.
  vi.stubGlobal("fetch", async () => {
    const headers = { "Workroom-Revision": "1", "Content-Type": "application/vnd.workroom.frames" };
    return new Response(encodeFrame({ "info.note": "a frame" }), { headers });
  });
});

afterEach(() => vi.unstubAllGlobals());

async function atTheFirstFrame(): Promise<Trajectory> {
  const trajectory = new Trajectory("lab");
  trajectory.reset(3, 1);
  await new Promise<void>((told) => {
    trajectory.subscribe(told);
    trajectory.ensureFrame(0);
  });
  expect(trajectory.lastError).toBeNull();
  expect(trajectory.partial(0)).toBeDefined();
  return trajectory;
}

const appended = { revision: 3, length: 4, splices: [{ start: 3, removed: 0, added: 1 }] };

test("frames that a change leaves alone are not fetched again", async () => {
  const trajectory = await atTheFirstFrame();
  trajectory.applyChange(appended, { afterAll: true });
  expect(trajectory.length).toBe(4);
  expect(trajectory.partial(0)).toBeDefined();
});

test("no frame is trusted when a change before this one may have been missed", async () => {
  const trajectory = await atTheFirstFrame();
  trajectory.applyChange(appended, { afterAll: false });
  expect(trajectory.length).toBe(4);
  expect(trajectory.partial(0)).toBeUndefined();
});

test("a change that is known already changes nothing", async () => {
  const trajectory = await atTheFirstFrame();
  trajectory.applyChange({ ...appended, revision: 1 }, { afterAll: false });
  expect(trajectory.length).toBe(3);
  expect(trajectory.partial(0)).toBeDefined();
});
