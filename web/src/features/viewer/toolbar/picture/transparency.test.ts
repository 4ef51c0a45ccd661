import { expect, test } from "vitest";
import { removeBackground } from "./transparency";

/** A colour with an opacity, over a grey. */
const over = ([r, g, b, a]: number[], grey: number) => [
  ...[r!, g!, b!].map((part) => Math.round(part * a! + grey * (1 - a!))),
  255,
];

test("the background is removed, and what covers it wholly or half keeps its colour", () => {
  const pixels = [
    [200, 30, 90, 1],
    [200, 30, 90, 0.5],
    [0, 0, 0, 0],
    [0, 0, 0, 1],
    [255, 255, 255, 1],
  ];
  const onBlack = new Uint8ClampedArray(pixels.flatMap((pixel) => over(pixel, 0)));
  const onWhite = new Uint8ClampedArray(pixels.flatMap((pixel) => over(pixel, 255)));
  removeBackground(onBlack, onWhite);
  expect([...onBlack.subarray(0, 4)]).toEqual([200, 30, 90, 255]);
  const half = [...onBlack.subarray(4, 8)];
  for (const [part, expected] of [200, 30, 90, 128].entries())
    expect(Math.abs(half[part]! - expected)).toBeLessThanOrEqual(2);
  expect([...onBlack.subarray(8)]).toEqual([0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255]);
});
