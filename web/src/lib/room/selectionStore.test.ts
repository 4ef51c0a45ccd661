import { expect, test } from "vitest";
import {
  atomsOfFrame,
  formatAtoms,
  inverted,
  parseAtoms,
  select,
  setFromRoom,
  toggled,
  union,
  useSelection,
} from "./selectionStore";

test("a choice is written down in ranges, and read again", () => {
  expect(formatAtoms([0, 1, 2, 3, 7, 9, 10])).toBe("0–3, 7, 9, 10");
  expect(parseAtoms("0–3, 7 9-10")).toEqual([0, 1, 2, 3, 7, 9, 10]);
  expect(formatAtoms([1, 3, 5, 7], 2)).toBe("1, 3, …");
  expect(formatAtoms([])).toBe("");
});

test("what is not a list of atoms is refused", () => {
  expect(parseAtoms("carbon")).toBeNull();
  expect(parseAtoms("5-2")).toBeNull();
  expect(parseAtoms("0-99999999")).toBeNull();
  expect(parseAtoms("")).toEqual([]);
});

test("of the listed atoms, those that the frame has are taken", () => {
  expect(atomsOfFrame(parseAtoms("3-999999")!, 6)).toEqual([3, 4, 5]);
  expect(atomsOfFrame([], 6)).toEqual([]);
  expect(() => atomsOfFrame([6, 7], 6)).toThrow("This frame has the atoms 0 to 5.");
});

test("choosing keeps the order, adds, takes away and turns round", () => {
  expect(toggled([4, 2], 7)).toEqual([4, 2, 7]);
  expect(toggled([4, 2], 4)).toEqual([2]);
  expect(union([4], [2, 4])).toEqual([4, 2]);
  expect(inverted([0, 2], 4)).toEqual([1, 3]);
});

test("what comes from the room is not a choice made here", () => {
  select([1, 1, 2]);
  const { localRevision, atoms } = useSelection.getState();
  expect(atoms).toEqual([1, 2]);
  setFromRoom("r", [5]);
  expect(useSelection.getState()).toMatchObject({ atoms: [5], localRevision });
});
