import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  type ArrayValue,
  asFloats,
  asIndices,
  framesIn,
  readFrames,
  rowText,
  type Value,
} from "@/lib/frames";

// Made by tests/unit/wire/test_frames_in_the_browser.py with the encoder of the server.
const bytes = readFileSync(new URL("./python.frames", import.meta.url));
const stream = new Uint8Array(bytes).buffer;
const [water, kinds, empty] = framesIn(stream);
const array = (value: Value | undefined) => value as ArrayValue;

test("arrays are views of the bytes that came", () => {
  const positions = array(water!.get("arrays.positions"));
  expect(positions.data).toBeInstanceOf(Float64Array);
  expect(positions.data.buffer).toBe(stream);
  expect(positions.data.byteOffset % 8).toBe(0);
  expect(positions.shape).toEqual([3, 3]);
  expect([...asFloats(positions)]).toEqual([0, 0, 0, 0.96, 0, 0, -0.24, 0.93, 0]);
  expect([...asIndices(array(water!.get("arrays.numbers")))]).toEqual([8, 1, 1]);
  expect([...array(water!.get("pbc")).data]).toEqual([1, 0, 1]);
});

test("everything else is as Python meant it", () => {
  const { "info.note": note, ...plain } = Object.fromEntries(
    [...water!].filter(([key]) => key.startsWith("info.") && key !== "info.bytes"),
  );
  expect(note).toBe("näive 水");
  expect(plain).toEqual({
    "info.nothing": null,
    "info.count": -7,
    "info.large": 2n ** 53n + 1n,
    "info.ratio": 0.125,
    "info.yes": true,
    "info.list": [1, "two", [3.5, null]],
    "info.map": { a: 1, b: { c: [true] } },
  });
  expect([...(water!.get("info.bytes") as Uint8Array)]).toEqual([0, 255]);
});

test.each(["b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"])(
  "numbers of type %s",
  (dtype) => {
    expect([...asFloats(array(kinds!.get(`arrays.${dtype}`)))]).toEqual(
      dtype === "b1" ? [0, 1, 1] : [0, 1, 3],
    );
  },
);

test("complex numbers are pairs, text is read row by row, a scalar has no shape", () => {
  expect([...array(kinds!.get("arrays.c16")).data]).toEqual([0, 0, 1, 0, 3, 0]);
  expect([0, 1, 2].map((row) => rowText(array(kinds!.get("arrays.text")), row))).toEqual(["CA", "HB2", ""]);
  expect(array(kinds!.get("arrays.empty")).shape).toEqual([0, 3]);
  expect(array(kinds!.get("info.scalar")).shape).toEqual([]);
  expect(array(kinds!.get("info.scalar")).data[0]).toBe(2.5);
  expect(empty!.size).toBe(0);
});

test("the stream reads the same piece by piece", async () => {
  const sizes: number[] = [];
  for await (const frame of readFrames(new Blob([bytes]).stream())) sizes.push(frame.size);
  expect(sizes).toEqual([water!.size, kinds!.size, 0]);
});
