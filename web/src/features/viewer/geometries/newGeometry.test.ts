import { expect, test } from "vitest";
import { structureOf } from "@/lib/atoms/structure";
import type { Value } from "@/lib/frames";
import { newGeometry, volumeKeys } from "./newGeometry";

const floats = (shape: number[], data: number[]): Value => ({
  dtype: "<f8",
  shape,
  data: Float64Array.from(data),
});

function structure(more: [string, Value][] = [], positions = [0, 0, 0, 4, 2, 10]) {
  const count = positions.length / 3;
  return structureOf(
    new Map<string, Value>([
      ["arrays.numbers", { dtype: "<i4", shape: [count], data: new Int32Array(count).fill(1) }],
      ["arrays.positions", floats([count, 3], positions)],
      ...more,
    ]),
  );
}

test("what is added lies in the middle of the atoms or of the cell, and is about as large", () => {
  expect(newGeometry("box", structure()).data).toMatchObject({ position: [[2, 1, 5]], size: [4, 2, 10] });
  expect(newGeometry("sphere", structure())).toMatchObject({
    type: "spheres",
    data: { radius: 2.5, scale: 1 },
  });
  const cell: [string, Value] = ["cell", floats([3, 3], [20, 0, 0, 0, 20, 0, 0, 0, 20])];
  expect(newGeometry("plane", structure([cell])).data).toMatchObject({
    position: [10, 10, 10],
    size: [20, 20],
  });
  expect(newGeometry("box", structure([], [])).data).toMatchObject({
    position: [[0, 0, 0]],
    size: [4, 4, 4],
  });
  const lost = structure([], [Number.NaN, 0, 0, 1, 1, 1]);
  expect(newGeometry("box", lost).data).toMatchObject({ position: [[1, 1, 1]], size: [2, 2, 2] });
});

test("arrows are the forces where there are some, or else one arrow", () => {
  expect(newGeometry("arrows", structure()).data).toMatchObject({
    position: [[2, 1, 5]],
    direction: [[0, 0, 5]],
  });
  const forces: [string, Value] = ["calc.forces", floats([2, 3], [0, 0, 1, 0, 0, 1])];
  expect(newGeometry("arrows", structure([forces])).data).toEqual({
    position: "arrays.positions",
    direction: "calc.forces",
  });
});

test("an isosurface is of the values on a grid, at a part of the largest", () => {
  const grid: [string, Value] = ["info.orbital", floats([2, 2, 2], [0, 1, -4, 0, 0, 0, 0, 0])];
  const volume = structure([grid, ["info.energy", 3]]);
  expect(volumeKeys(volume.frame)).toEqual(["info.orbital"]);
  expect(newGeometry("isosurface", volume).data).toEqual({ grid: "info.orbital", isovalue: 0.8 });
  expect(volumeKeys(structure().frame)).toEqual([]);
});
