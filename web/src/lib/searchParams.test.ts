import { expect, test } from "vitest";
import { choicesParam, textParam } from "./searchParams";

test("states are read one by one, by commas and as a list; what is no state is left out", () => {
  const states = ["failed", "pending"] as const;
  expect(choicesParam("failed", states)).toEqual(["failed"]);
  expect(choicesParam("pending,failed,nonsense", states)).toEqual(["failed", "pending"]);
  expect(choicesParam(["failed"], states)).toEqual(["failed"]);
  for (const wrong of ["nonsense", ["nonsense"], 7, { failed: 1 }, undefined])
    expect(choicesParam(wrong, states)).toBeUndefined();
});

test("a name that looks like a number stays a name", () => {
  expect([textParam(12), textParam("a"), textParam(["a"]), textParam("")]).toEqual([
    "12",
    "a",
    undefined,
    undefined,
  ]);
});
