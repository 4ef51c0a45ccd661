import { expect, test } from "vitest";
import { type Change, groupByJob } from "./useChanges";

function change(id: string, jobId: string | null, undoOf: string | null = null): Change {
  return {
    id,
    revision: 1,
    act: "frames.append",
    label: "added a frame",
    author: { id: "a", name: "Anna" },
    jobId,
    extension: null,
    parameters: null,
    machine: null,
    at: "2026-01-01T00:00:00Z",
    undoOf,
    undoneBy: null,
    frames: null,
  };
}

test("changes of one job that follow each other are one entry; people's are not", () => {
  const groups = groupByJob([
    change("1", "j"),
    change("2", "j"),
    change("3", null),
    change("4", null),
    change("5", "j"),
  ]);
  expect(groups.map((group) => group.map(({ id }) => id))).toEqual([["1", "2"], ["3"], ["4"], ["5"]]);
});

test("an undo made by a job stands alone", () => {
  expect(groupByJob([change("1", "j", "0"), change("2", "j")])).toHaveLength(2);
});

test("of selections made one after the other only the last is listed", () => {
  const selected = (id: string, by = "a"): Change => ({
    ...change(id, null),
    act: "selections.put",
    author: { id: by, name: by },
  });
  const groups = groupByJob([
    selected("1"),
    selected("2"),
    selected("3", "b"),
    change("4", null),
    selected("5"),
  ]);
  expect(groups.map((group) => group[0]?.id)).toEqual(["1", "3", "4", "5"]);
});
