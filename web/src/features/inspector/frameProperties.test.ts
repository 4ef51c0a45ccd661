import { expect, test } from "vitest";
import { structureOf } from "@/lib/atoms/structure";
import type { Value } from "@/lib/frames";
import { frameProperties } from "./frameProperties";

const floats = (shape: number[], ...data: number[]): Value => ({
  dtype: "<f8",
  shape,
  data: Float64Array.from(data),
});

function texts(more: [string, Value][]): Record<string, string> {
  const structure = structureOf(
    new Map<string, Value>([
      ["arrays.numbers", { dtype: "<i8", shape: [3], data: BigInt64Array.from([8n, 1n, 1n]) }],
      ["arrays.positions", floats([3, 3], 0, 0, 0, 1, 0, 0, 0, 1, 0)],
      ...more,
    ]),
  );
  return Object.fromEntries(
    frameProperties(structure).flatMap(({ properties }) =>
      properties.map(({ label, text }) => [label, text]),
    ),
  );
}

test("a molecule: its atoms, its formula, and no cell", () => {
  expect(texts([])).toEqual({ Atoms: "3", Formula: "H2 O", "Periodic in": "no direction" });
});

test("a cell: lengths, angles, volume and periodicity", () => {
  const found = texts([
    ["cell", floats([3, 3], 4, 0, 0, -2, 2 * Math.sqrt(3), 0, 0, 0, 10)],
    ["pbc", { dtype: "|b1", shape: [3], data: Uint8Array.from([1, 1, 0]) }],
  ]);
  expect(found["a, b, c"]).toBe("4.000, 4.000, 10.000 Å");
  expect(found["α, β, γ"]).toBe("90.00, 90.00, 120.00°");
  expect(found.Volume).toBe("138.56 Å³");
  expect(found["Periodic in"]).toBe("a, b");
});

test("in a frame of three atoms a dipole stays one vector, and in one of six the stress stays a stress", () => {
  expect(texts([["calc.dipole", floats([3], 0.1, 0.2, 0.3)]]).Dipole).toBe("0.1000, 0.2000, 0.3000 e Å");
  const found = texts([
    ["arrays.numbers", { dtype: "<i8", shape: [6], data: BigInt64Array.from([8n, 1n, 1n, 8n, 1n, 1n]) }],
    ["arrays.positions", floats([6, 3], ...Array.from({ length: 18 }, (_, at) => at))],
    ["calc.stress", floats([6], 0.01, 0.01, 0.01, 0, 0, 0)],
  ]);
  expect(found.Pressure).toBe("-1.6022 GPa");
});

test("results have units; forces and charges are summed up", () => {
  const found = texts([
    ["calc.energy", -14.25],
    ["calc.forces", floats([3, 3], 3, 4, 0, 0, 0, 0, 0, 0, 1)],
    ["calc.charges", floats([3], -0.8, 0.4, 0.4)],
    ["calc.stress", floats([6], 0.01, 0.01, 0.01, 0, 0, 0)],
    ["info.temperature", 300.5],
    ["info.tags", ["a", "b"]],
    ["constraints", [{ name: "FixAtoms", kwargs: { indices: [0] } }]],
  ]);
  expect(found.Energy).toBe("-14.2500 eV");
  expect(found.Forces).toBe("largest 5, mean 2, RMS 2.9439 eV/Å");
  expect(found.Charges).toBe("-0.8000 to 0.4000, mean 0, sum 0 e");
  expect(found.Pressure).toBe("-1.6022 GPa");
  expect(found.temperature).toBe("300.5000");
  expect(found.tags).toBe("[a, b]");
  expect(found["Fixed atoms"]).toBe("1");
});
