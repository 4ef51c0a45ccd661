import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type ArrayValue, framesIn } from ".";
import { encodeFrame } from "./encode";
import { rewriteFrame } from "./rewrite";

const array = (...data: number[]): ArrayValue => ({
  dtype: "<f8",
  shape: [data.length],
  data: Float64Array.from(data),
});
const NOTHING = { arrays: new Map<string, ArrayValue>(), leavesOut: () => false };
const alone = (bytes: Uint8Array<ArrayBuffer>) => bytes.slice().buffer;

// Made by tests/unit/wire/test_frames_in_the_browser.py with the encoder of the server: every type that a frame can have.
const python = new Uint8Array(readFileSync(new URL("./python.frames", import.meta.url))).buffer;

/** The streams of each frame of a stream. */
function single(stream: ArrayBuffer): ArrayBuffer[] {
  const parts: ArrayBuffer[] = [];
  for (let at = 0; at < stream.byteLength; ) {
    const length = Number(new DataView(stream).getBigUint64(at, true));
    const end = at + 8 + length + (-length & 7);
    parts.push(stream.slice(at, end));
    at = end;
  }
  return parts;
}

test.each(single(python).map((stream, at) => [at, stream] as const))(
  "frame %i of Python keeps every value when nothing is changed",
  (_, stream) => {
    expect(framesIn(alone(rewriteFrame(stream, NOTHING)))).toEqual(framesIn(stream));
  },
);

test("what is left out moves the others, whose arrays stay aligned and whose numbers keep their types", () => {
  const [water] = single(python);
  for (const gone of framesIn(water!)[0]!.keys()) {
    const bytes = rewriteFrame(water!, { ...NOTHING, leavesOut: (key) => key === gone });
    const [frame] = framesIn(alone(bytes));
    const expected = new Map(framesIn(water!)[0]!);
    expected.delete(gone);
    expect([...frame!]).toEqual([...expected]);
    for (const value of frame!.values())
      if (typeof value === "object" && value && "data" in value)
        expect((value as ArrayValue).data.buffer.byteLength).toBe(bytes.byteLength);
  }
});

test("a float that is whole stays a float", () => {
  // A map of one: "info.t" with the double 1.0, as Python writes it.
  const value = [0xcb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0];
  const body = [0x81, 0xa6, ...new TextEncoder().encode("info.t"), ...value];
  const stream = new Uint8Array(8 + 24);
  stream.set([body.length]);
  stream.set(body, 8);
  const rewritten = rewriteFrame(stream.buffer, NOTHING);
  expect([...rewritten].join()).toContain(value.join());
});

test("a replaced array stays in its place", () => {
  const stream = encodeFrame({ a: array(1, 2), "calc.energy": 3.5, b: [array(4), "x"], c: array(5) });
  const bytes = rewriteFrame(alone(stream), {
    arrays: new Map([["a", array(7, 8, 9)]]),
    leavesOut: (key) => key.startsWith("calc."),
  });
  const [frame] = framesIn(alone(bytes));
  expect([...frame!.keys()]).toEqual(["a", "b", "c"]);
  expect([...frame!.values()]).toEqual([array(7, 8, 9), [array(4), "x"], array(5)]);
});
