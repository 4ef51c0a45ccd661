import { expect, test } from "vitest";
import { makeCell, minimumImage } from "@/lib/atoms/unitCell";
import { measure, nearestImages, type Point } from "./measure";

const PBC = [true, true, true];
const box = makeCell([10, 0, 0, 0, 10, 0, 0, 0, 10], PBC);
const value = (points: Point[], cell = box) => measure(nearestImages(points, cell))!.value;

test("a distance goes through the faces of a periodic cell", () => {
  const points: Point[] = [
    [0.5, 5, 5],
    [9.5, 5, 5],
  ];
  expect(measure(points)!.value).toBeCloseTo(9);
  expect(value(points)).toBeCloseTo(1);
  expect(value(points, makeCell(box.rows, [false, true, true]))).toBeCloseTo(9);
  expect(value(points, makeCell(null, null))).toBeCloseTo(9);
});

test("angles and dihedrals use the same images", () => {
  const corner: Point[] = [
    [9.5, 0.5, 5],
    [0.5, 0.5, 5],
    [0.5, 9.5, 5],
  ];
  expect(value(corner)).toBeCloseTo(90);
  const [a, b, c] = corner as [Point, Point, Point];
  expect(value([a, b, c, [9.5, 9.5, 5]])).toBeCloseTo(0);
  expect(value([a, b, c, [0.5, 9.5, 6]])).toBeCloseTo(-90);
  expect(value([a, b, c, [0.5, 9.5, 4]])).toBeCloseTo(90);
});

test("in a skewed cell the shortest image is found, not that of the rounded coordinates", () => {
  const skewed = makeCell([4, 0, 0, 3.9, 1, 0, 0, 0, 8], PBC);
  let seed = 3;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return (seed / 2 ** 32 - 0.5) * 30;
  };
  for (let turn = 0; turn < 50; turn++) {
    const vector: Point = [random(), random(), random()];
    let best = Number.POSITIVE_INFINITY;
    for (let i = -60; i <= 60; i++)
      for (let j = -60; j <= 60; j++)
        for (let k = -3; k <= 3; k++)
          best = Math.min(best, Math.hypot(vector[0] + 4 * i + 3.9 * j, vector[1] + j, vector[2] + 8 * k));
    expect(Math.hypot(...minimumImage(skewed, vector))).toBeCloseTo(best);
  }
});
