import { expect, test } from "vitest";
import { structureOf } from "@/lib/atoms/structure";
import type { Value } from "@/lib/frames";
import { everyAtom, sortedAtoms, tableColumns } from "./atomTable";

function structure(count: number, charges: (atom: number) => number) {
  return structureOf(
    new Map<string, Value>([
      [
        "arrays.numbers",
        { dtype: "<i4", shape: [count], data: Int32Array.from({ length: count }, (_, i) => (i % 2 ? 1 : 8)) },
      ],
      ["arrays.positions", { dtype: "<f8", shape: [count, 3], data: new Float64Array(3 * count) }],
      [
        "calc.charges",
        { dtype: "<f8", shape: [count], data: Float64Array.from({ length: count }, (_, i) => charges(i)) },
      ],
      ["calc.forces", { dtype: "<f8", shape: [count, 3], data: new Float64Array(3 * count).fill(1) }],
      ["info.note", "not of each atom"],
    ]),
  );
}

test("every property of an atom is a column, with its unit", () => {
  const columns = tableColumns(structure(2, () => 0.25));
  expect(columns.map(({ id }) => id)).toEqual([
    "index",
    "element",
    "x",
    "y",
    "z",
    "calc.charges",
    "calc.forces",
    "calc.forces.x",
    "calc.forces.y",
    "calc.forces.z",
  ]);
  expect(columns[5]).toMatchObject({ label: "Charges", unit: "e" });
  expect(columns[5]!.text(0)).toBe("0.2500");
  expect(columns[6]).toMatchObject({ label: "|Forces|", unit: "eV/Å" });
  expect(columns[6]!.text(0)).toBe("1.7321");
});

test("rows are sorted by numbers and texts, up and down, and NaN is last", () => {
  const values = [3, Number.NaN, 1, 2];
  const four = structure(4, (atom) => values[atom]!);
  const columns = tableColumns(four);
  const sorted = (column: string, descending: boolean) => [
    ...sortedAtoms(everyAtom(4), columns, { column, descending }),
  ];
  expect(sorted("calc.charges", false)).toEqual([2, 3, 0, 1]);
  expect(sorted("calc.charges", true)).toEqual([0, 3, 2, 1]);
  expect(sorted("element", false)).toEqual([1, 3, 0, 2]);
  expect(sorted("element", true)).toEqual([0, 2, 1, 3]);
  expect(sorted("index", true)).toEqual([3, 2, 1, 0]);
  expect(sorted("no such", false)).toEqual([0, 1, 2, 3]);
});

test("100,000 atoms are sorted within 300 ms", () => {
  const count = 100_000;
  const many = structure(count, (atom) => (atom * 7919) % 100_003);
  const started = process.cpuUsage();
  const rows = sortedAtoms(everyAtom(count), tableColumns(many), {
    column: "calc.charges",
    descending: true,
  });
  // Processor time: other load on the machine does not count.
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1000).toBeLessThan(300);
  expect(rows.length).toBe(count);
});
