import { describe, expect, test } from "vitest";
import { element } from "@/lib/atoms/elements";
import { bondCylinders, CYLINDER_STRIDE } from "./bondCylinders";
import { type BondQuery, findBonds, packShift, unpackShift } from "./findBonds";

const CUBE = (a: number) => [a, 0, 0, 0, a, 0, 0, 0, a];

test("water has two bonds, and none between its hydrogens", () => {
  const bonds = findBonds({
    numbers: [8, 1, 1],
    positions: [0, 0, 0, 0.96, 0, 0, -0.24, 0.93, 0],
    cell: null,
    pbc: null,
    tolerance: 1.15,
  });
  expect(named(bonds)).toEqual(["0-1 0,0,0", "0-2 0,0,0"]);
});

test("a bond through a face is found, and drawn as a half at either end", () => {
  const bonds = findBonds({
    numbers: [6, 6],
    positions: [0.2, 5, 5, 9.7, 5, 5],
    cell: CUBE(10),
    pbc: [true, true, true],
    tolerance: 1.15,
  });
  expect(named(bonds)).toEqual(["0-1 -1,0,0"]);
  const drawn = bondCylinders(bonds);
  expect(drawn.length).toBe(2 * CYLINDER_STRIDE);
  expect([...drawn.subarray(4, 6)]).toEqual([1, 0]);
  expect(unpackShift(drawn[6]! & ~(1 << 30))).toEqual([1, 0, 0]);
});

test("a molecule that left the cell as a whole keeps whole bonds", () => {
  const bonds = findBonds({
    numbers: [6, 8],
    positions: [39.7, 5, 5, 40.8, 5, 5],
    cell: CUBE(10),
    pbc: [true, true, true],
    tolerance: 1.15,
  });
  expect(named(bonds)).toEqual(["0-1 0,0,0"]);
});

test("without periodicity nothing is bonded through a face", () => {
  const query = { numbers: [6, 6], positions: [0.2, 5, 5, 9.7, 5, 5], cell: CUBE(10), tolerance: 1.15 };
  expect(findBonds({ ...query, pbc: [false, true, true] }).length).toBe(0);
});

test("an atom is bonded to its own images in a cell smaller than the bond", () => {
  const bonds = findBonds({
    numbers: [29],
    positions: [0, 0, 0],
    cell: CUBE(2.5),
    pbc: [true, true, true],
    tolerance: 1.15,
  });
  expect(named(bonds)).toEqual(["0-0 0,0,1", "0-0 0,1,0", "0-0 1,0,0"]);
});

describe("the same as comparing every pair", () => {
  const cells: [string, number[] | null, boolean[]][] = [
    ["a cube", CUBE(9), [true, true, true]],
    ["a skewed cell", [8, 0, 0, 4, 7, 0, -2, 3, 9], [true, true, true]],
    ["a flat cell", [12, 0, 0, 0, 2.2, 0, 0, 0, 3.1], [true, true, true]],
    ["a slab", [8, 0, 0, 3, 8, 0, 0, 0, 0], [true, true, false]],
    ["a wire", [0, 0, 0, 0, 0, 0, 0, 1, 6], [false, false, true]],
    ["no cell", null, [false, false, false]],
    ["a cell that is none", [1, 0, 0, 2, 0, 0, 3, 0, 0], [true, true, true]],
  ];
  test.each(cells)("in %s", (_, cell, pbc) => {
    const random = seeded(7);
    const numbers = Array.from({ length: 50 }, () => [1, 6, 8, 26][Math.floor(random() * 4)]!);
    const positions = Array.from({ length: 150 }, () => random() * 12 - 3);
    const query = { numbers, positions, cell, pbc, tolerance: 1.1 };
    const found = named(findBonds(query));
    expect(found.length).toBeGreaterThan(3);
    expect(found).toEqual(byComparingAll(query));
  });
});

test("a hundred thousand atoms take less than a second of processor time", () => {
  const random = seeded(3);
  const side = 100;
  const positions = Float32Array.from({ length: 300_000 }, () => random() * side);
  const numbers = Uint8Array.from({ length: 100_000 }, (_, i) => (i % 3 ? 1 : 8));
  const started = process.cpuUsage();
  const bonds = findBonds({ positions, numbers, cell: CUBE(side), pbc: [true, true, true], tolerance: 1.15 });
  expect(bonds.length).toBeGreaterThan(0);
  // Processor time instead of wall time, so that other load on the machine does not fail the test.
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000).toBeLessThan(1000);
});

test("atoms that are all at one point do not fill the memory", () => {
  const positions = Float32Array.from({ length: 3000 }, (_, i) => (i % 3 === 0 ? (i / 3000) * 0.9 : 0));
  const bonds = findBonds({
    positions,
    numbers: new Uint8Array(1000).fill(6),
    cell: null,
    pbc: null,
    tolerance: 1.15,
  });
  expect(bonds.length / 3).toBeLessThan(20_000);
});

test("positions that are no numbers are no reason to fail", () => {
  const positions = [Number.NaN, 0, 0, 1, 0, 0, Number.POSITIVE_INFINITY, 0, 0];
  expect(() =>
    findBonds({ positions, numbers: [6, 6, 6], cell: null, pbc: null, tolerance: 1.15 }),
  ).not.toThrow();
});

function named(bonds: Int32Array): string[] {
  const names: string[] = [];
  for (let at = 0; at < bonds.length; at += 3)
    names.push(`${bonds[at]!}-${bonds[at + 1]!} ${unpackShift(bonds[at + 2]!)}`);
  return names.sort();
}

function byComparingAll({ numbers, positions, cell, pbc, tolerance }: BondQuery): string[] {
  const rows = cell ?? CUBE(0);
  const flat =
    cell !== null && Math.abs(determinant(cell)) < 1e-9 && ![0, 3, 6].some((at) => length(rows, at) === 0);
  const reach = [0, 1, 2].map((part) => (pbc?.[part] && !flat && length(rows, 3 * part) > 0 ? 7 : 0));
  const found: string[] = [];
  for (let i = 0; i < numbers.length; i++)
    for (let j = i; j < numbers.length; j++)
      for (let x = -reach[0]!; x <= reach[0]!; x++)
        for (let y = -reach[1]!; y <= reach[1]!; y++)
          for (let z = -reach[2]!; z <= reach[2]!; z++) {
            if (i === j && packShift(z, y, x) <= packShift(0, 0, 0)) continue;
            const d = [0, 1, 2].map(
              (p) =>
                positions[3 * j + p]! -
                positions[3 * i + p]! +
                x * rows[p]! +
                y * rows[3 + p]! +
                z * rows[6 + p]!,
            );
            const distance = Math.hypot(d[0]!, d[1]!, d[2]!);
            const longest = (element(numbers[i]!).covalent + element(numbers[j]!).covalent) * tolerance;
            if (distance < longest && distance > 0.1) found.push(`${i}-${j} ${x},${y},${z}`);
          }
  return found.sort();
}

function determinant(c: ArrayLike<number>): number {
  return (
    c[0]! * (c[4]! * c[8]! - c[5]! * c[7]!) -
    c[1]! * (c[3]! * c[8]! - c[5]! * c[6]!) +
    c[2]! * (c[3]! * c[7]! - c[4]! * c[6]!)
  );
}

function length(rows: ArrayLike<number>, at: number): number {
  return Math.hypot(rows[at]!, rows[at + 1]!, rows[at + 2]!);
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
