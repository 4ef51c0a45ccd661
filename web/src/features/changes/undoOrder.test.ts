import { expect, test } from "vitest";
import { changeToUndo, undoToTakeBack } from "./undoOrder";
import type { Change } from "./useChanges";

const change = (id: string, more: Partial<Change> = {}): Change =>
  ({ id, author: { id: "me", name: "Me" }, undoOf: null, undoneBy: null, jobId: null, ...more }) as Change;

test("one's own changes are undone from the newest on", () => {
  const other = change("3", { author: { id: "you", name: "You" } });
  const list = [other, change("2"), change("1")];
  expect(changeToUndo(list, "me")?.id).toBe("2");
  expect(undoToTakeBack(list, "me")).toBeNull();
  const undone = [change("4", { undoOf: "2" }), other, change("2", { undoneBy: "4" }), change("1")];
  expect(changeToUndo(undone, "me")?.id).toBe("1");
  expect(undoToTakeBack(undone, "me")?.id).toBe("4");
  expect(undoToTakeBack(undone, "you")).toBeNull();
});

test("undos are taken back in the opposite order, until something new is changed", () => {
  const [first, second] = [change("1", { undoneBy: "4" }), change("2", { undoneBy: "3" })];
  const both = [change("4", { undoOf: "1" }), change("3", { undoOf: "2" }), second, first];
  expect(changeToUndo(both, "me")).toBeNull();
  expect(undoToTakeBack(both, "me")?.id).toBe("4");
  const once = [
    change("5", { undoOf: "4" }),
    change("4", { undoOf: "1", undoneBy: "5" }),
    change("3", { undoOf: "2" }),
    second,
    change("1"),
  ];
  expect(undoToTakeBack(once, "me")?.id).toBe("3");
  expect(changeToUndo(once, "me")?.id).toBe("1");
  expect(undoToTakeBack([change("6"), ...once], "me")).toBeNull();
});
