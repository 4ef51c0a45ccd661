import { describe, expect, it } from "vitest";
import { formatIndices, parseIndices } from "@/components/form/atomIndices";
import { axisFor, valuesOfAxis } from "./axisDraft";
import { parseValues, rangeValues, sweepFields } from "./sweepFields";

describe("a sweep", () => {
  it("offers single values, also inside objects, but no constants and no lists", () => {
    const fields = sweepFields({
      properties: {
        fmax: { type: "number", title: "Fmax", minimum: 0, maximum: 1 },
        push: { type: "array", items: { type: "number" } },
        inner: { title: "Inner", properties: { n: { type: "integer" }, kind: { const: "x" } } },
        method: { enum: ["a", "b"] },
      },
    });
    expect(fields.map((field) => [field.path.join("."), field.kind])).toEqual([
      ["fmax", "number"],
      ["inner.n", "integer"],
      ["method", "choice"],
    ]);
    expect(fields[1]?.title).toBe("Inner · n");
  });

  it("spaces values evenly or by their logarithm, without noise", () => {
    expect(rangeValues({ from: 0, to: 0.3, count: 4, spacing: "even" }, false)).toEqual([0, 0.1, 0.2, 0.3]);
    expect(rangeValues({ from: 0.001, to: 1, count: 4, spacing: "log" }, false)).toEqual([
      0.001, 0.01, 0.1, 1,
    ]);
    expect(rangeValues({ from: 1, to: 3, count: 9, spacing: "even" }, true)).toEqual([1, 2, 3]);
  });

  it("begins and ends at the bounds of the field", () => {
    const axis = (field: object, current?: unknown) =>
      axisFor(sweepFields({ properties: { x: field } })[0]!, current);
    const { range } = axis({ type: "number", exclusiveMinimum: 0.1, maximum: 10 }, 1.1);
    expect(range).toMatchObject({ from: 0.11, to: 10, spacing: "log" });
    expect(axis({ type: "integer", exclusiveMinimum: 0, maximum: 8 }).range).toMatchObject({
      from: 1,
      to: 8,
    });
    expect(axis({ type: "number", exclusiveMinimum: 0 }, 1e-4).range.from).toBe(1e-4);
    expect(axis({ type: "number", minimum: 5 }).range).toMatchObject({ from: 5, to: 6 });
    expect(valuesOfAxis(axis({ type: "integer", minimum: 1, maximum: 1e9 }))).toEqual([
      1, 178, 31623, 5623413, 1e9,
    ]);
  });

  it("offers no secrets", () => {
    expect(sweepFields({ properties: { key: { type: "string", format: "password" } } })).toEqual([]);
  });

  it("reads typed values as the field wants them", () => {
    expect(parseValues("1, 2;3", "integer")).toEqual([1, 2, 3]);
    expect(parseValues("1, x", "number")).toBeNull();
    expect(parseValues("a, b", "string")).toEqual(["a", "b"]);
  });
});

describe("atoms by their numbers", () => {
  it("are written as ranges and read back", () => {
    expect(formatIndices([0, 1, 2, 3, 8, 10, 11])).toBe("0-3, 8, 10, 11");
    expect(parseIndices("0-3, 8 10;11")).toEqual([0, 1, 2, 3, 8, 10, 11]);
    expect(formatIndices([8, 3, 4, 5, 2, 1])).toBe("8, 3-5, 2, 1");
    expect(parseIndices("8, 3-5, 2 1, 4")).toEqual([8, 3, 4, 5, 2, 1]);
    expect(parseIndices("5-2")).toBeNull();
    expect(parseIndices("a")).toBeNull();
  });
});
