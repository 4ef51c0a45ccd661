import { expect, test } from "vitest";
import { colourKeys, vectorKeys } from "./frameKeys";

test("in a frame of three atoms, only arrays of its atoms colour them", () => {
  const floats = (...shape: number[]) => ({ dtype: "<f8", shape });
  const keys = {
    "arrays.positions": floats(3, 3),
    "calc.forces": floats(3, 3),
    "calc.charges": floats(3),
    "calc.dipole": floats(3),
    "calc.virial": floats(3, 3),
    "info.axis": floats(3),
    cell: floats(3, 3),
    pbc: { dtype: "|b1", shape: [3] },
  };
  expect(colourKeys(keys)).toEqual(["arrays.positions", "calc.charges", "calc.forces"]);
  expect(vectorKeys(keys)).toEqual(["calc.forces"]);
});
