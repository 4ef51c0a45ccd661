import { expect, test } from "vitest";
import { adopt, choose, inverted, joined, parsed, toggled, useSelected, written } from "./selected";

test("a choice is written down in ranges, and read again", () => {
  expect(written([0, 1, 2, 3, 7, 9, 10])).toBe("0–3, 7, 9, 10");
  expect(parsed("0–3, 7 9-10")).toEqual([0, 1, 2, 3, 7, 9, 10]);
  expect(written([1, 3, 5, 7], 2)).toBe("1, 3, …");
  expect(written([])).toBe("");
});

test("what is not a list of atoms is refused", () => {
  expect(parsed("carbon")).toBeNull();
  expect(parsed("5-2")).toBeNull();
  expect(parsed("0-99999999")).toBeNull();
  expect(parsed("")).toEqual([]);
});

test("choosing keeps the order, adds, takes away and turns round", () => {
  expect(toggled([4, 2], 7)).toEqual([4, 2, 7]);
  expect(toggled([4, 2], 4)).toEqual([2]);
  expect(joined([4], [2, 4])).toEqual([4, 2]);
  expect(inverted([0, 2], 4)).toEqual([1, 3]);
});

test("what comes from the room is not a choice made here", () => {
  choose([1, 1, 2]);
  const { choice, atoms } = useSelected.getState();
  expect(atoms).toEqual([1, 2]);
  adopt("r", [5]);
  expect(useSelected.getState()).toMatchObject({ atoms: [5], choice });
});
