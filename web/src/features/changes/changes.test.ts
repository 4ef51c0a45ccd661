import { expect, test } from "vitest";
import { byJob, type Change } from "./useChanges";

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
  const groups = byJob([
    change("1", "j"),
    change("2", "j"),
    change("3", null),
    change("4", null),
    change("5", "j"),
  ]);
  expect(groups.map((group) => group.map(({ id }) => id))).toEqual([["1", "2"], ["3"], ["4"], ["5"]]);
});

test("an undo made by a job stands alone", () => {
  expect(byJob([change("1", "j", "0"), change("2", "j")])).toHaveLength(2);
});
