import { expect, test } from "vitest";
import { exampleTitle } from "./exampleTitle";

test("an example is named by its first values", () => {
  expect(exampleTitle({ fmax: 0.01, method: "BFGS" })).toBe("fmax 0.01, method BFGS");
  expect(exampleTitle({ a: [1, 2], b: 2, c: 3, d: 4 })).toBe("a [1,2], b 2, c 3, …");
  expect(exampleTitle({ text: "x".repeat(30) })).toBe(`text ${"x".repeat(24)}…`);
  expect(exampleTitle({})).toBe("Defaults");
});
