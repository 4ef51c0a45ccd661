import { describe, expect, it } from "vitest";
import { niceTicks, plotScale } from "./plotScale";

describe("the axis of a sweep's plot", () => {
  it("has round numbers", () => {
    expect(niceTicks(0, 10, 6)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(niceTicks(-0.31, 0.29, 6)).toEqual([-0.3, -0.2, -0.1, 0, 0.1, 0.2]);
  });

  it("is logarithmic over two decades and more, if it may be", () => {
    const scale = plotScale([0.001, 0.01, 0.1], true);
    expect(scale.isLog).toBe(true);
    expect(scale.place(0.01)).toBeCloseTo(0.5);
    expect(scale.ticks.map((tick) => tick.label)).toEqual(["0.001", "0.01", "0.1"]);
    expect(plotScale([0.001, 0.1], false).isLog).toBe(false);
    expect(plotScale([-1, 100], true).isLog).toBe(false);
  });

  it("places one number, and values that are no numbers", () => {
    expect(plotScale([5], true).place(5)).toBeCloseTo(0.5);
    const named = plotScale(["BFGS", "FIRE"], true);
    expect(named.ticks.map((tick) => [tick.label, tick.at])).toEqual([
      ["BFGS", 0.25],
      ["FIRE", 0.75],
    ]);
    expect(named.place("LBFGS")).toBeNull();
  });
});
