import { Matrix4, Vector3 } from "three";
import { expect, test } from "vitest";
import { AtomTextures, VISIBLE } from "../layers/atomTextures";
import { atomOnRay, atomsWithin, isInside } from "./pick";

/** Atoms on a line along x, one apart, of radius 0.3. */
function row(count: number): AtomTextures {
  const atoms = new AtomTextures();
  atoms.resize(count);
  atoms.setPositions(Float32Array.from({ length: 3 * count }, (_, i) => (i % 3 === 0 ? i / 3 : 0)));
  atoms.setRadii(() => 0.3);
  for (let i = 0; i < count; i++) atoms.colours[4 * i + 3] = VISIBLE;
  return atoms;
}

test("a point is inside of an outline, also of one with a notch", () => {
  const notched = [
    [0, 0],
    [4, 0],
    [4, 4],
    [2, 1],
    [0, 4],
  ] as const;
  expect(isInside(notched, 0.5, 1)).toBe(true);
  expect(isInside(notched, 2, 3)).toBe(false);
  expect(isInside(notched, 5, 1)).toBe(false);
});

test("a lasso takes the visible atoms within it", () => {
  const atoms = row(4);
  atoms.colours[4 * 1 + 3] = 0;
  const triangle = [
    [-0.5, -1],
    [2.5, -1],
    [1, 5],
  ] as const;
  expect(atomsWithin(atoms, new Matrix4(), triangle)).toEqual([0, 2]);
});

test("a ray also hits the periodic images, and the nearest of all is found", () => {
  const atoms = row(2);
  const down = new Vector3(0, 0, -1);
  const ray = (x: number, z = 10) => new Vector3(x, 0, z);
  expect(atomOnRay(atoms, [ray(1)], down, 1, 0)).toBe(1);
  expect(atomOnRay(atoms, [ray(3)], down, 1, 0)).toBe(-1);
  // The image at x = 2 shows atom 1 where the ray is.
  expect(atomOnRay(atoms, [ray(3), ray(1)], down, 1, 0)).toBe(1);
  expect(atomOnRay(atoms, [ray(1, 20), ray(0, 10)], down, 1, 0)).toBe(0);
});
