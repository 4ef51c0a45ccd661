import { describe, expect, it } from "vitest";
import { axesOf, flattenArguments } from "./gridAxes";

describe("the grid of a sweep", () => {
  it("has the arguments that differ as axes, with their values in order", () => {
    const jobs = [0.1, 0.01].flatMap((fmax) =>
      ["FIRE", "BFGS", "LBFGS"].map((method) => ({ data: { fmax, method, inner: { steps: 10 } } })),
    );
    expect(axesOf(jobs)).toEqual([
      { path: "fmax", values: [0.01, 0.1] },
      { path: "method", values: ["BFGS", "FIRE", "LBFGS"] },
    ]);
  });

  it("finds values inside objects and takes lists whole", () => {
    expect([...flattenArguments({ a: { b: 1 }, c: [1, 2] })]).toEqual([
      ["a.b", 1],
      ["c", [1, 2]],
    ]);
  });

  it("is empty when all jobs are alike", () => {
    expect(axesOf([{ data: { a: 1 } }, { data: { a: 1 } }])).toEqual([]);
  });
});
