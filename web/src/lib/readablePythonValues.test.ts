import { expect, test } from "vitest";
import { readable } from "./readablePythonValues";

const tagged = (kind: string, content: unknown) => ({ "~": [kind, content] });

test.each([
  ["a number of NumPy", tagged("numpy", ["<f8", [], "AAAAAAAA+D8="]), 1.5],
  ["half precision", tagged("numpy", ["<f2", [], "AEE="]), 2.5],
  ["single precision", tagged("array", ["<f4", [2], "zczMPQAAAEA="]), [0.1, 2]],
  ["whole numbers", tagged("numpy", ["<i4", [], "AwAAAA=="]), 3],
  ["booleans", tagged("array", ["|b1", [2], "AQA="]), [true, false]],
  [
    "rows",
    tagged("array", ["<f8", [2, 2], "AAAAAAAA+D8AAAAAAAAAQAAAAAAAAAhAAAAAAAAAEEA="]),
    [
      [1.5, 2],
      [3, 4],
    ],
  ],
  ["texts", tagged("array", ["<U2", [2], "YQAAAGIAAABjAAAAAAAAAA=="]), ["ab", "c"]],
  ["bytes of an array", tagged("array", ["|S1", [1], "YQ=="]), ["a"]],
  ["complex numbers", tagged("array", ["<c16", [1], "AAAAAAAA8D8AAAAAAAAAQA=="]), ["1+2j"]],
  ["a complex number", tagged("complex", ["1.0", "-2.0"]), "1-2j"],
  ["dates of NumPy", tagged("numpy", ["<M8[D]", [], "508AAAAAAAA="]), "array of one value"],
  ["a long array", tagged("array", ["<f8", [1000, 100], ""]), "array of 1000 × 100"],
  ["objects", tagged("objects", [[1], [tagged("dict", [[1, 2]])]]), [{ 1: 2 }]],
  ["a tuple", { both: tagged("tuple", [1, tagged("float", "1e+16")]) }, { both: [1, 1e16] }],
  ["not a number", tagged("float", "nan"), "nan"],
  ["a large number", tagged("int", "1180591620717411303424"), "1180591620717411303424"],
  ["bytes", tagged("bytes", "YWJj"), "3 bytes"],
  ["text with half a character", tagged("text", "YQA="), "a"],
  ["a time", tagged("datetime", ["2026-01-02T03:04:00", [0, 19_800, 0], 0]), "2026-01-02 03:04:00+05:30"],
  [
    "a time in a zone",
    tagged("datetime", ["2026-01-02T03:04:00", "Europe/Berlin", 0]),
    "2026-01-02 03:04:00 Europe/Berlin",
  ],
  ["a duration", tagged("timedelta", [1, 5, 500_000]), "86405.5 s"],
  ["an id", tagged("uuid", "00000000000000000000000000000005"), "00000000-0000-0000-0000-000000000005"],
  ["a path", tagged("path", "/x"), "/x"],
  ["a range", tagged("range", ["0", "3", "1"]), "range(0, 3, 1)"],
  ["a member", tagged("enum", ["m", "Colour", "RED", 1]), "Colour.RED"],
  ["a data class", tagged("dataclass", ["m", "Point", { x: tagged("decimal", "1.10") }]), { x: "1.10" }],
  ["a named tuple", tagged("namedtuple", ["m", "Pair", [1, 2]]), [1, 2]],
  ["a model", tagged("model", ["m", "M", { __dict__: { n: 1 }, __pydantic_extra__: null }]), { n: 1 }],
  [
    "a structure",
    tagged("atoms", { arrays: { numbers: tagged("array", ["|u1", [3], "CAEB"]) } }),
    "Atoms(OH2)",
  ],
  ["what is broken", tagged("array", ["<f8", [3], "AA=="]), "(array)"],
  ["plain data", { a: [1, "b", null] }, { a: [1, "b", null] }],
])("%s", (_, packed, shown) => {
  expect(readable(packed)).toEqual(shown);
});
