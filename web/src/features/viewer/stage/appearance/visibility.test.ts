import { expect, test } from "vitest";
import { structureOf } from "@/lib/atoms/structure";
import type { Value } from "@/lib/frames";
import { EVERYTHING, extentAlong, parseMiller, visibleAtoms } from "./visibility";

function structure(count: number, cell: number[] | null = null) {
  return structureOf(
    new Map<string, Value>([
      [
        "arrays.numbers",
        { dtype: "<i4", shape: [count], data: Int32Array.from({ length: count }, (_, i) => (i % 3 ? 1 : 8)) },
      ],
      [
        "arrays.positions",
        { dtype: "<f8", shape: [count, 3], data: Float64Array.from({ length: 3 * count }, (_, i) => i / 3) },
      ],
      ...(cell
        ? ([["cell", { dtype: "<f8", shape: [3, 3], data: Float64Array.from(cell) }]] as [string, Value][])
        : []),
    ]),
  );
}

const shown = (visible: Uint8Array | null) => visible && [...visible.keys()].filter((atom) => visible[atom]);

test("nothing is hidden at first", () => {
  expect(visibleAtoms(structure(4), EVERYTHING)).toBeNull();
});

test("elements and single atoms are hidden", () => {
  const six = structure(6);
  expect(shown(visibleAtoms(six, { ...EVERYTHING, hiddenElements: new Set([1]) }))).toEqual([0, 3]);
  expect(shown(visibleAtoms(six, { ...EVERYTHING, hiddenAtoms: new Set([0, 5, 99]) }))).toEqual([1, 2, 3, 4]);
});

test("a slice keeps the atoms between its planes, along an axis or a vector of the cell", () => {
  // The atoms are at x = 0, 1, 2, 3.
  const four = structure(4, [4, 0, 0, 2, 4, 0, 0, 0, 10]);
  const along = (axis: "x" | "c", from: number, to: number) =>
    shown(visibleAtoms(four, { ...EVERYTHING, slice: { axis, from, to } }));
  expect(along("x", 1, 2)).toEqual([1, 2]);
  expect(extentAlong(four, { axis: "x" })).toEqual({ min: 0, max: 3 });
  // z = x + 2/3, and the third vector is ten long.
  expect(along("c", 0, 0.2)).toEqual([0, 1]);
  expect(extentAlong(four, { axis: "c" }).max).toBeCloseTo(0.3667);
  expect(extentAlong(structure(4), { axis: "a" })).toEqual({ min: 0, max: 1 });
});

test("a slice lies along the normal of lattice planes, or along the direction of the view", () => {
  const four = structure(4, [4, 0, 0, 0, 4, 0, 0, 0, 8]);
  const between = (
    vector: readonly [number, number, number],
    axis: "hkl" | "view",
    from: number,
    to: number,
  ) => shown(visibleAtoms(four, { ...EVERYTHING, slice: { axis, vector, from, to } }));
  // The atoms are at (n, n + 1/3, n + 2/3); the normal of (1 1 0) is the diagonal of x and y.
  const diagonal = { axis: "hkl", vector: [1, 1, 0] } as const;
  expect(extentAlong(four, diagonal).max).toBeCloseTo((3 + 3 + 1 / 3) / Math.SQRT2);
  expect(between([1, 1, 0], "hkl", 1, 4)).toEqual([1, 2]);
  // In this cell the planes (0 1 2) are perpendicular to (0, 1/4, 2/8): y and z alike.
  expect(extentAlong(four, { axis: "hkl", vector: [0, 1, 2] }).min).toBeCloseTo(1 / Math.SQRT2);
  expect(between([0, 0, 5], "view", 0.5, 2)).toEqual([0, 1]);
  expect(extentAlong(structure(4), diagonal)).toEqual({ min: 0, max: 1 });
});

test("Miller indices are read as people write them", () => {
  expect(parseMiller("1 1 0")).toEqual([1, 1, 0]);
  expect(parseMiller("(110)")).toEqual([1, 1, 0]);
  expect(parseMiller("1-10")).toEqual([1, -1, 0]);
  expect(parseMiller("2, −1, 10")).toEqual([2, -1, 10]);
  for (const text of ["", "0 0 0", "1 1", "1.5 0 0", "x y z"]) expect(parseMiller(text)).toBeNull();
});

test("100,000 atoms are sliced within 300 ms", () => {
  const many = structure(100_000, [10, 0, 0, 0, 10, 0, 0, 0, 10]);
  const started = process.cpuUsage();
  const visible = visibleAtoms(many, {
    hiddenElements: new Set([8]),
    hiddenAtoms: new Set([1]),
    slice: { axis: "b", from: 0, to: 5000 },
  });
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000).toBeLessThan(300);
  expect(shown(visible)!.length).toBeGreaterThan(30_000);
});
