import { afterEach, expect, test, vi } from "vitest";
import { type ArrayValue, framesIn } from "@/lib/frames";
import { encodeFrame } from "@/lib/frames/encode";
import { editFrame } from "./editFrame";

// The client reads the origin when its module is loaded.
vi.hoisted(() => vi.stubGlobal("location", { origin: "http://workroom.test" }));

afterEach(() => vi.unstubAllGlobals());

const array = (x: number): ArrayValue => ({ dtype: "<f8", shape: [1], data: Float64Array.from([x]) });

/** A room at a revision that others raise `disturbed` times after a read. */
function room(disturbed: number) {
  const state = { revision: 5, written: [] as { revision: number; value: number }[], disturbed };
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "GET") {
      const headers = { "Workroom-Revision": String(state.revision) };
      const answer = new Response(encodeFrame({ a: array(state.revision), note: "kept" }), { headers });
      if (state.disturbed-- > 0) state.revision++;
      return answer;
    }
    const expected = Number(request.headers.get("Workroom-Revision"));
    if (expected !== state.revision)
      return Response.json({ code: "revision_passed", detail: "passed" }, { status: 409 });
    const [frame] = framesIn(await request.arrayBuffer());
    expect(frame!.get("note")).toBe("kept");
    state.written.push({ revision: expected, value: Number((frame!.get("a") as ArrayValue).data[0]) });
    return Response.json({});
  });
  return state;
}

const addHundred = (frame: ReturnType<typeof framesIn>[number]) => ({
  arrays: new Map([["a", array(Number((frame.get("a") as ArrayValue).data[0]) + 100)]]),
  leavesOut: () => false,
});

test("an edit is made anew of what others wrote between its read and its write", async () => {
  const state = room(2);
  const frame = await editFrame("lab", 0, addHundred);
  expect(state.written).toEqual([{ revision: 7, value: 107 }]);
  expect((frame.get("a") as ArrayValue).data[0]).toBe(107);
});

test("an edit that does not apply writes nothing", async () => {
  const state = room(0);
  const refuse = () => {
    throw new Error("another frame");
  };
  await expect(editFrame("lab", 0, refuse)).rejects.toThrow("another frame");
  expect(state.written).toEqual([]);
});

test("an edit gives up in a room that never rests", async () => {
  const state = room(Number.POSITIVE_INFINITY);
  await expect(editFrame("lab", 0, addHundred)).rejects.toThrow("Others keep changing this room");
  expect(state.written).toEqual([]);
});
