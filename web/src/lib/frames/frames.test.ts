import { describe, expect, test } from "vitest";
import { type ArrayValue, asFloats, asIndices, framesIn, readFrames, rowText } from ".";
import { decodeFrame, FrameError } from "./decode";
import { encodeFrame } from "./encode";

const numbers: ArrayValue = { dtype: "<i8", shape: [3], data: BigInt64Array.from([8n, 1n, 1n]) };
const positions: ArrayValue = {
  dtype: "<f8",
  shape: [3, 3],
  data: Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]),
};
const water = encodeFrame({
  "arrays.numbers": numbers,
  "arrays.positions": positions,
  "info.note": "na\u00efve",
  "info.n": -3,
});

test("a frame comes back as it went, its arrays as views of the buffer", () => {
  const buffer = water.buffer;
  const frame = framesIn(buffer)[0]!;
  const read = frame.get("arrays.positions") as ArrayValue;
  expect(read.data.buffer).toBe(buffer);
  expect(read.shape).toEqual([3, 3]);
  expect([...asFloats(read)]).toEqual([...(positions.data as Float64Array)]);
  expect([...asIndices(frame.get("arrays.numbers") as ArrayValue)]).toEqual([8, 1, 1]);
  expect(frame.get("info.note")).toBe("na\u00efve");
  expect(frame.get("info.n")).toBe(-3);
});

test.each([1, 7, 8, 100, 4096])("a stream in chunks of %i bytes gives each frame", async (size) => {
  const bytes = joined([water, water, water]);
  const frames = [];
  for await (const frame of readFrames(chunked(bytes, size))) frames.push(frame);
  expect(frames.length).toBe(3);
  expect(asFloats(frames[2]!.get("arrays.positions") as ArrayValue)[4]!).toBe(0);
});

test("an empty stream has no frames", async () => {
  for await (const _ of readFrames(chunked(new Uint8Array(0), 8))) expect.unreachable();
});

test("a stream that ends within a frame says so", async () => {
  const reading = async () => {
    for await (const _ of readFrames(chunked(water.subarray(0, water.length - 8), 50))) expect.unreachable();
  };
  await expect(reading()).rejects.toThrow(FrameError);
});

test("nothing is read before it is asked for, and leaving early cancels the request", async () => {
  let pulled = 0;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled++;
        controller.enqueue(water.slice());
      },
      cancel() {
        cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  for await (const _ of readFrames(body)) break;
  expect(pulled).toBe(1);
  expect(cancelled).toBe(true);
});

describe("what is not a frame is refused", () => {
  const wrong: [string, number[]][] = [
    ["nothing", []],
    ["a number", [0x01]],
    ["a map that is longer than its bytes", [0xdf, 0xff, 0xff, 0xff, 0xff]],
    ["a list that is longer than its bytes", [0x81, 0xa1, 0x61, 0xdd, 0x7f, 0xff, 0xff, 0xff]],
    ["a text that is cut off", [0x81, 0xa1, 0x61, 0xdb, 0, 0, 0, 9, 0x61]],
    ["a text that is not UTF-8", [0x81, 0xa1, 0x61, 0xa1, 0xff]],
    ["a key that is a number", [0x81, 0x01, 0x01]],
    ["an extension type", [0x81, 0xa1, 0x61, 0xd4, 0x01, 0x00]],
    ["something behind the end", [0x80, 0x01]],
    ["lists within lists without end", [0x81, 0xa1, 0x61, ...new Array(100).fill(0x91), 0xc0]],
  ];
  test.each(wrong)("%s", (_, bytes) => {
    expect(() => decodeFrame(Uint8Array.from(bytes).buffer)).toThrow(FrameError);
  });

  test("a dtype that frames do not have", () => {
    const odd = encodeFrame({ a: { dtype: "|O", shape: [1], data: new Float64Array(1) } });
    expect(() => framesIn(odd.buffer)).toThrow("no dtype |O");
  });

  test("a shape that does not fit the bytes", () => {
    const odd = encodeFrame({ a: { dtype: "<f8", shape: [5], data: new Float64Array(1) } });
    expect(() => framesIn(odd.buffer)).toThrow("has 40 bytes");
  });

  test("a frame of an absurd length", async () => {
    const head = new Uint8Array(16).fill(0xff);
    await expect(readFrames(chunked(head, 16)).next()).rejects.toThrow("too large");
  });
});

test("a key such as __proto__ is nothing special", () => {
  const frame = decodeFrame(
    Uint8Array.from([
      0x81,
      0xa1,
      0x61,
      0x81,
      0xa9,
      ...new TextEncoder().encode("__proto__"),
      0x81,
      0xa1,
      0x78,
      0x01,
    ]).buffer,
  );
  expect(({} as { x?: number }).x).toBeUndefined();
  expect(Object.keys(frame.get("a") as object)).toEqual(["__proto__"]);
});

test("rows read well", () => {
  expect(rowText(positions, 1)).toBe("1, 0, 0");
  expect(rowText(numbers, 0)).toBe("8");
  expect(
    rowText({ dtype: "<f8", shape: [1, 3], data: Float64Array.from([0.12345678, 2.5e-7, 3e9]) }, 0),
  ).toBe("0.1235, 2.50e-7, 3000000000");
  expect(rowText({ dtype: "|b1", shape: [2], data: Uint8Array.from([1, 0]) }, 1)).toBe("no");
  expect(rowText({ dtype: "<U3", shape: [2], data: Uint32Array.from([67, 65, 0, 72, 0, 0]) }, 0)).toBe("CA");
});

function joined(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function chunked(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}
