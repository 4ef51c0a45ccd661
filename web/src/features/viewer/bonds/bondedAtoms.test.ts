import { expect, test } from "vitest";
import type { Frame, Value } from "@/lib/frames";
import { bondCylinders, CYLINDER_STRIDE } from "./bondCylinders";
import { grown, moleculeOf, shrunk } from "./bondedAtoms";
import { findBonds, NO_SHIFT, packShift } from "./findBonds";
import { connectivityOf, givenBonds } from "./givenBonds";

/** A chain 0-1-2-3, and 4-5 apart from it. */
const BONDS = Int32Array.from([0, 1, NO_SHIFT, 1, 2, NO_SHIFT, 2, 3, NO_SHIFT, 4, 5, NO_SHIFT]);

test("a selection grows and shrinks by one bond", () => {
  expect(grown([1], BONDS).sort()).toEqual([0, 1, 2]);
  expect(shrunk([0, 1, 2], BONDS).sort()).toEqual([0, 1]);
  expect(shrunk([4, 5], BONDS)).toEqual([4, 5]);
  expect(grown([], BONDS)).toEqual([]);
});

test("a molecule is everything that bonds reach", () => {
  expect(moleculeOf(bondCylinders(BONDS), 3).sort()).toEqual([0, 1, 2, 3]);
});

test("metals have no bonds with each other unless they are asked for", () => {
  const query = {
    numbers: [29, 29, 8],
    positions: [0, 0, 0, 2.5, 0, 0, 0, 1.9, 0],
    cell: null,
    pbc: null,
    tolerance: 1.2,
  };
  const pairs = (metals: boolean) => {
    const found = findBonds({ ...query, metals });
    return Array.from(
      { length: found.length / 3 },
      (_, at) => `${found[3 * at]}-${found[3 * at + 1]}`,
    ).sort();
  };
  expect(pairs(false)).toEqual(["0-2"]);
  expect(pairs(true)).toEqual(["0-1", "0-2"]);
});

const frame = (connectivity: Value): Frame => new Map([["info.connectivity", connectivity]]);

test("bonds that a frame gives are read with their orders", () => {
  expect([
    ...connectivityOf(
      frame([
        [0, 1, 2],
        [1, 2],
      ]),
    )!,
  ]).toEqual([0, 1, 2, 1, 2, 1]);
  const array = { dtype: "<f8", shape: [1, 3], data: Float64Array.from([0, 1, 1.5]) };
  expect([...connectivityOf(frame(array))!]).toEqual([0, 1, 1.5]);
  expect(connectivityOf(frame("nonsense"))).toBeNull();
  expect(connectivityOf(frame([[0], [1], [2]]))).toBeNull();
  expect(connectivityOf(frame([[0, 1, 1, 2]]))).toBeNull();
  expect(connectivityOf(frame({ dtype: "<f8", shape: [1, 4], data: new Float64Array(4) }))).toBeNull();
  expect(connectivityOf(frame([]))).toHaveLength(0);
  expect(connectivityOf(frame({ dtype: "<f8", shape: [0], data: new Float64Array(0) }))).toHaveLength(0);
  expect(connectivityOf(new Map())).toBeNull();
});

test("given bonds lead to the nearest image, and atoms that do not exist have none", () => {
  const structure = {
    numbers: [6, 6],
    positions: [0.5, 0, 0, 9.5, 0, 0],
    cell: [10, 0, 0, 0, 10, 0, 0, 0, 10],
    pbc: [true, true, true],
  };
  const { bonds, orders } = givenBonds(structure, Float64Array.from([0, 1, 2, 0, 7, 1]));
  expect([...bonds]).toEqual([0, 1, packShift(-1, 0, 0)]);
  expect([...orders]).toEqual([2]);
});

test("a double bond has two strands, a triple bond three", () => {
  const one = Int32Array.from([0, 1, NO_SHIFT]);
  const strands = (order: number) => bondCylinders(one, [order]).length / CYLINDER_STRIDE;
  expect([1, 1.5, 2, 3].map(strands)).toEqual([1, 2, 2, 3]);
});
