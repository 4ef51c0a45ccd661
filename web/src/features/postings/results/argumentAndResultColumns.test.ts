import { describe, expect, it } from "vitest";
import {
  compareValues,
  namedArguments,
  numberAt,
  numericPaths,
  resultColumns,
  varyingPaths,
} from "./argumentAndResultColumns";

describe("the columns of a posting", () => {
  it("are the arguments that differ, those of a function with their numbers", () => {
    const calls = [1, 2].map((n) => ({
      data: namedArguments({ args: [n, "x"], kwargs: { width: n * 10 } }, true),
    }));
    expect(calls[0]!.data).toEqual({ "argument 1": 1, "argument 2": "x", width: 10 });
    expect(varyingPaths(calls)).toEqual(["argument 1", "width"]);
    expect(namedArguments({ args: [1] }, false)).toEqual({ args: [1] });
  });

  it("are the values of results that are short and flat", () => {
    expect(resultColumns([{ a: 1, b: { c: 2 } }, { a: 3 }], 6)).toEqual(["a", "b.c"]);
    expect(resultColumns([{ a: [1, 2] }], 6)).toEqual([]);
    expect(resultColumns([{ a: 1, b: 2 }], 1)).toEqual([]);
    expect(resultColumns([1, 2], 6)).toEqual(["result"]);
  });

  it("know the numbers of a result", () => {
    expect(numericPaths([{ a: 1, b: "x" }, { c: { d: 2 } }, 7, null])).toEqual(["a", "c.d", "result"]);
    expect(numberAt({ c: { d: 2 } }, "c.d")).toBe(2);
    expect(numberAt("x", "result")).toBeNull();
  });

  it("sort numbers by size, and what is missing last in both directions", () => {
    const values = [10, null, 9, "b", "a", undefined];
    const sorted = (descending: boolean) => values.toSorted((a, b) => compareValues(a, b, descending));
    expect(sorted(false).slice(0, 4)).toEqual([9, 10, "a", "b"]);
    expect(sorted(true).slice(0, 4)).toEqual(["b", "a", 10, 9]);
  });
});
