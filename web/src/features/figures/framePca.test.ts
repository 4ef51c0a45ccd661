import { expect, test } from "vitest";
import { principalComponents } from "./framePca";

test("frames that differ in one direction lie on a line", () => {
  const t = Array.from({ length: 50 }, (_, at) => at);
  const found = principalComponents([t, t.map((value) => 3 * value + 1), t.map((value) => -value)])!;
  const spread = (values: number[]) => Math.max(...values) - Math.min(...values);
  expect(spread(found.x)).toBeGreaterThan(4);
  expect(spread(found.y)).toBeLessThan(1e-6);
});

test("two groups of frames are apart", () => {
  const group = Array.from({ length: 40 }, (_, at) => at % 2);
  const noise = Array.from({ length: 40 }, (_, at) => ((at * 7919) % 13) / 13);
  const found = principalComponents([group, group.map((value, at) => value * 5 + noise[at]! / 10), noise])!;
  const of = (which: number) => found.x.filter((_, at) => group[at] === which);
  expect(Math.min(...of(1)) > Math.max(...of(0)) || Math.max(...of(1)) < Math.min(...of(0))).toBe(true);
});

test("a frame without a value has no place, and the others keep all their properties", () => {
  const found = principalComponents([
    [Number.NaN, 2, 3, 4],
    [9, 1, 5, 2],
  ])!;
  expect(found.x[0]).toBeNaN();
  expect(found.y.slice(1).every(Number.isFinite)).toBe(true);
});

test("properties that never change or that most frames lack are left out", () => {
  const t = [1, 2, 3, 4];
  expect(principalComponents([t, [5, 5, 5, 5]])).toBeNull();
  expect(principalComponents([t, [Number.NaN, Number.NaN, Number.NaN, 3]])).toBeNull();
  expect(principalComponents([])).toBeNull();
});
