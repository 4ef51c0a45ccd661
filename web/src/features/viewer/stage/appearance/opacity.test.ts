import { expect, test } from "vitest";
import { AtomTextures, SELECTED, VISIBLE } from "../layers/atomTextures";
import { applyMarks } from "./atomAppearance";
import { CLEAR, clearness, DEFAULT_OPACITY } from "./opacity";

const RANGE = { min: 0, max: 10 };
const steps = (values: number[], by = {}) => [
  ...clearness(values, RANGE, { ...DEFAULT_OPACITY, least: 0, ...by }),
];

test("low, high or middle values fade between the two opacities", () => {
  expect(steps([-5, 0, 5, 10, 20])).toEqual([CLEAR, CLEAR, 8, 0, 0]);
  expect(steps([0, 5, 10], { fade: "high" })).toEqual([0, 8, CLEAR]);
  expect(steps([0, 5, 10], { fade: "middle" })).toEqual([0, CLEAR, 0]);
  expect(steps([0, 10], { least: 0.2, most: 0.8 })).toEqual([12, 3]);
  expect(steps([0, 5, 10], { range: { min: 5, max: 10 } })).toEqual([CLEAR, CLEAR, 0]);
});

test("what is no number is opaque, and so is a value that all atoms have", () => {
  expect(steps([Number.NaN, Number.POSITIVE_INFINITY])).toEqual([0, 0]);
  expect([...clearness([3, 3], { min: 3, max: 3 }, DEFAULT_OPACITY)]).toEqual([0, 0]);
});

test("marks keep their bits beside the opacity, and an atom that cannot be seen is not visible", () => {
  const atoms = new AtomTextures();
  atoms.resize(3);
  const clear = new Uint8Array([0, 7, CLEAR]);
  applyMarks(atoms, { selection: new Set([1]), hovered: -1, visible: null, fixed: [], clear });
  const marks = [0, 1, 2].map((atom) => atoms.colours[4 * atom + 3]);
  expect(marks).toEqual([VISIBLE, VISIBLE | SELECTED | (7 << 4), 0]);
});
