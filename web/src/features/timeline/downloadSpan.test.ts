import { expect, test } from "vitest";
import { fileName, spanOf } from "./downloadSpan";

const range = { from: 2, to: 8, step: 3 };

test("a download has all frames, the one that is shown, or a range with both of its ends", () => {
  expect(spanOf("all", 5, range)).toEqual({});
  expect(spanOf("this", 5, range)).toEqual({ start: 5, stop: 6 });
  expect(spanOf("range", 5, range)).toEqual({ start: 2, stop: 9, step: 3 });
  expect(spanOf("range", 5, { from: 4, to: 1, step: 0 })).toEqual({ start: 4, stop: 5, step: 1 });
});

test("the name of the file says which frames it has", () => {
  expect(fileName("copper", "extxyz", "all", 5, range)).toBe("copper.extxyz");
  expect(fileName("copper", "cif", "this", 5, range)).toBe("copper-5.cif");
  expect(fileName("copper", "traj", "range", 5, range)).toBe("copper-2-8.traj");
});
