import { expect, test } from "vitest";
import { fileRefusal } from "./inputFile";

test("a file that a field does not accept is named with what it accepts", () => {
  const limits = { suffixes: [".cif", ".xyz"], maxBytes: 10 };
  expect(fileRefusal({ name: "A.CIF", size: 10 }, limits)).toBeNull();
  expect(fileRefusal({ name: "a.txt", size: 1 }, limits)).toMatch("ends with .cif or .xyz");
  expect(fileRefusal({ name: "a.cif", size: 11 }, limits)).toMatch("at most 10 bytes");
  expect(fileRefusal({ name: "a.cif", size: 0 }, limits)).toMatch("is empty");
  expect(fileRefusal({ name: "anything", size: 1e9 }, { suffixes: [] })).toBeNull();
});
