import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { encodeFrame } from "@/lib/frames/encode";
import { Trajectory } from "./trajectory";

// The client reads the origin when its module is loaded.
vi.hoisted(() => vi.stubGlobal("location", { origin: "http://workroom.test" }));

beforeEach(() => {
  // A server with any number of frames, at revision 1.
  vi.stubGlobal("fetch", async () => {
    const headers = { "Workroom-Revision": "1", "Content-Type": "application/vnd.workroom.frames" };
    return new Response(encodeFrame({ "info.note": "a frame" }), { headers });
  });
});

afterEach(() => vi.unstubAllGlobals());

async function atTheFirstFrame(): Promise<Trajectory> {
  const trajectory = new Trajectory("lab");
  trajectory.reset(3, 1);
  await new Promise<void>((notified) => {
    trajectory.subscribe(notified);
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

async function requested(trajectory: Trajectory): Promise<string[]> {
  const asked: string[] = [];
  const answer = globalThis.fetch;
  vi.stubGlobal("fetch", (request: Request) => {
    const { searchParams } = new URL(request.url);
    asked.push(searchParams.get("indices") ?? `${searchParams.get("start")}:${searchParams.get("stop")}`);
    return answer(request);
  });
  trajectory.ensureFrame(0, 1);
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(1));
  trajectory.dispose();
  return asked;
}

test("frames are fetched ahead in chunks", async () => {
  const trajectory = new Trajectory("lab");
  trajectory.reset(1000, 1);
  expect((await requested(trajectory)).slice(0, 2)).toEqual(["0:1", "1:41"]);
});

test("frames that playback leaves out are not fetched", async () => {
  const trajectory = new Trajectory("lab");
  trajectory.reset(1000, 1);
  trajectory.upcoming = (step, direction) => (step + 300 * direction < 1000 ? step + 300 * direction : null);
  expect((await requested(trajectory)).slice(0, 2)).toEqual(["0:1", "300,600,900"]);
});
