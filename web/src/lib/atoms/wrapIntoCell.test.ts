import { expect, test } from "vitest";
import { structureOf } from "@/lib/atoms/structure";
import { wrapIntoCell } from "@/lib/atoms/wrapIntoCell";
import type { Value } from "@/lib/frames";

function structure(positions: number[], cell: number[], pbc: number[]) {
  const count = positions.length / 3;
  return structureOf(
    new Map<string, Value>([
      ["arrays.numbers", { dtype: "<i4", shape: [count], data: new Int32Array(count).fill(1) }],
      ["arrays.positions", { dtype: "<f8", shape: [count, 3], data: Float64Array.from(positions) }],
      ["cell", { dtype: "<f8", shape: [3, 3], data: Float64Array.from(cell) }],
      ["pbc", { dtype: "|b1", shape: [3], data: Uint8Array.from(pbc) }],
    ]),
  );
}

test("atoms are put into a skewed cell along its periodic directions, and the frame stays as it is", () => {
  const skewed = structure([5, 1, 1, -0.5, 4.5, 12, 1, 1, 1], [4, 0, 0, 2, 4, 0, 0, 0, 10], [1, 1, 0]);
  const inside = wrapIntoCell(skewed);
  expect([...inside.positions].map((part) => Number(part.toFixed(6)))).toEqual([
    1, 1, 1, 1.5, 0.5, 12, 1, 1, 1,
  ]);
  expect(skewed.positions[0]).toBe(5);
  expect(inside.frame).toBe(skewed.frame);
});

test("an atom on a face stays there, and one without a position too", () => {
  const faces = structure([0, -1e-9, 0, Number.NaN, 1, 1], [4, 0, 0, 0, 4, 0, 0, 0, 4], [1, 1, 1]);
  expect([...wrapIntoCell(faces).positions]).toEqual([0, -1e-9, 0, Number.NaN, 1, 1]);
});

test("without a periodic cell nothing changes", () => {
  const free = structure([9, 9, 9], [4, 0, 0, 0, 4, 0, 0, 0, 4], [0, 0, 0]);
  expect(wrapIntoCell(free)).toBe(free);
});
