import { expect, test } from "vitest";
import type { Value } from "@/lib/frames";
import { axisValue, INDEX_AXIS, sampledFrames, scalarKeys, VOLUME_AXIS } from "./frameScalars";

test("single numbers of a frame can be mapped, arrays of atoms and texts cannot", () => {
  const keys = {
    "calc.energy": { type: "float" },
    "calc.free_energy": { dtype: "<f8", shape: [] },
    "calc.forces": { dtype: "<f8", shape: [10, 3] },
    "info.name": { type: "str" },
    "info.step": { type: "int" },
    "arrays.numbers": { dtype: "<i8", shape: [1] },
  };
  expect(scalarKeys(keys)).toEqual(["calc.energy", "calc.free_energy", "info.step"]);
});

test("the value of a frame along an axis", () => {
  const frame = new Map<string, Value>([
    ["calc.energy", -3.5],
    ["info.step", { dtype: "<i8", shape: [], data: BigInt64Array.from([7n]) }],
    ["cell", { dtype: "<f8", shape: [3, 3], data: Float64Array.from([2, 0, 0, 0, 3, 0, 0, 0, 4]) }],
  ]);
  expect(axisValue(frame, "calc.energy", 0)).toBe(-3.5);
  expect(axisValue(frame, "info.step", 0)).toBe(7);
  expect(axisValue(frame, VOLUME_AXIS, 0)).toBe(24);
  expect(axisValue(frame, INDEX_AXIS, 12)).toBe(12);
  expect(axisValue(frame, "info.gone", 0)).toBeNaN();
});

test("the keys of a trajectory are those of several of its frames", () => {
  expect(sampledFrames(0)).toEqual([]);
  expect(sampledFrames(1)).toEqual([0]);
  expect(sampledFrames(4)).toEqual([0, 1, 2, 3]);
  expect(sampledFrames(100)).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 99]);
});
