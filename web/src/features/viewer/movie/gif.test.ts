import { expect, test } from "vitest";
import { GifWriter } from "./gif";

/** The frames of a GIF as RGB pixels, by a reader that is independent of the writer. */
function read(gif: Uint8Array): { width: number; height: number; delays: number[]; frames: Uint8Array[] } {
  const word = (at: number) => gif[at]! | (gif[at + 1]! << 8);
  const [width, height] = [word(6), word(8)];
  const delays: number[] = [];
  const frames: Uint8Array[] = [];
  let at = 13;
  while (gif[at] !== 0x3b) {
    if (gif[at] === 0x21) {
      if (gif[at + 1] === 0xf9) delays.push(word(at + 4));
      for (at += 2; gif[at] !== 0; at += gif[at]! + 1);
      at++;
      continue;
    }
    expect(gif[at]).toBe(0x2c);
    const colours = gif.subarray(at + 10, at + 10 + 3 * 2 ** ((gif[at + 9]! & 7) + 1));
    at += 10 + colours.length;
    const size = gif[at++]!;
    const data: number[] = [];
    for (; gif[at] !== 0; at += gif[at]! + 1) data.push(...gif.subarray(at + 1, at + 1 + gif[at]!));
    at++;
    const pixels = unpacked(data, size);
    expect(pixels.length).toBe(width * height);
    frames.push(Uint8Array.from(pixels.flatMap((index) => [...colours.subarray(3 * index, 3 * index + 3)])));
  }
  return { width, height, delays, frames };
}

function unpacked(data: readonly number[], size: number): number[] {
  const [clear, end] = [1 << size, (1 << size) + 1];
  let codes: number[][] = [];
  let bits = size + 1;
  let place = 0;
  const reset = () => {
    codes = Array.from({ length: end + 1 }, (_, code) => [code]);
    bits = size + 1;
  };
  const next = () => {
    let code = 0;
    for (let bit = 0; bit < bits; bit++, place++) code |= ((data[place >> 3]! >> (place & 7)) & 1) << bit;
    return code;
  };
  reset();
  const found: number[] = [];
  let before: number[] | null = null;
  for (let code = next(); code !== end; code = next()) {
    if (code === clear) {
      reset();
      before = null;
      continue;
    }
    const sequence: number[] = codes[code] ?? [...before!, before![0]!];
    found.push(...sequence);
    if (before && codes.length < 4096) codes.push([...before, sequence[0]!]);
    if (codes.length === 1 << bits && bits < 12) bits++;
    before = sequence;
  }
  return found;
}

function image(width: number, height: number, colour: (x: number, y: number) => [number, number, number]) {
  const data = new Uint8ClampedArray(4 * width * height);
  for (let at = 0; at < width * height; at++)
    data.set([...colour(at % width, Math.floor(at / width)), 255], 4 * at);
  return { data };
}

async function written(writer: GifWriter): Promise<Uint8Array> {
  return new Uint8Array(await writer.end().arrayBuffer());
}

test("a picture comes back, as near as 256 colours can be", async () => {
  const [width, height] = [120, 90];
  const shaded = image(width, height, (x, y) => [2 * x, 2 * y, (x * y) % 256]);
  const gif = new GifWriter(width, height, 0.05);
  gif.add(shaded);
  const { frames, ...head } = read(await written(gif));
  expect(head).toEqual({ width, height, delays: [5] });
  let sum = 0;
  for (let at = 0; at < width * height; at++)
    for (let channel = 0; channel < 3; channel++)
      sum += Math.abs(frames[0]![3 * at + channel]! - shaded.data[4 * at + channel]!);
  expect(sum / (3 * width * height)).toBeLessThan(14);
});

test("frames follow each other, and long codes begin anew", async () => {
  // Noise fills the table of sequences several times.
  let state = 7;
  const noise = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 24) & 0xe0;
  };
  const [width, height] = [160, 120];
  const gif = new GifWriter(width, height, 0.001);
  const pictures = [0, 1, 2].map(() => image(width, height, () => [noise(), noise(), noise() & 0xc0]));
  for (const picture of pictures) gif.add(picture);
  const { frames, delays } = read(await written(gif));
  expect(delays).toEqual([2, 2, 2]);
  for (const [number, picture] of pictures.entries())
    for (let at = 0; at < width * height; at += 97)
      for (let channel = 0; channel < 3; channel++)
        expect(Math.abs(frames[number]![3 * at + channel]! - picture.data[4 * at + channel]!)).toBeLessThan(
          8,
        );
});

test("one colour is one colour", async () => {
  const gif = new GifWriter(3, 2, 1);
  gif.add(image(3, 2, () => [255, 255, 255]));
  const { frames } = read(await written(gif));
  expect([...frames[0]!]).toEqual(new Array(18).fill(252));
});
