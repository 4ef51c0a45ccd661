import { expect, test } from "vitest";
import { fieldsWithErrors, stepsOf, stepWith } from "./steps";

const schema = {
  properties: {
    first: {},
    phase: { step: "Structure" },
    site: {},
    steps: { step: "Run" },
    again: { step: "Structure" },
  },
} as object;

test("fields are grouped by step, and those without one follow the field before", () => {
  const steps = stepsOf(schema);
  expect(steps).toEqual([
    { title: "Structure", fields: ["first", "phase", "site", "again"] },
    { title: "Run", fields: ["steps"] },
  ]);
  expect(stepsOf({ properties: { a: {}, b: {} } })).toEqual([]);
  expect(stepsOf({ properties: { a: { step: "Only" } } } as object)).toEqual([]);
});

test("an error leads to its step", () => {
  const errors = fieldsWithErrors({ steps: { inner: { __errors: ["wrong"] } }, site: { __errors: [] } });
  expect(errors).toEqual(new Set(["steps"]));
  expect(stepWith(stepsOf(schema), errors)).toBe(1);
  expect(stepWith(stepsOf(schema), new Set(["nothing"]))).toBe(-1);
});
