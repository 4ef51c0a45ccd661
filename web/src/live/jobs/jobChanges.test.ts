import { expect, test } from "vitest";
import { jobChanges } from "./jobChanges";

const change = (jobId: string | null, start: number, added: number, more: object = {}) => ({
  jobId,
  undoOf: null,
  undoneBy: null,
  frames: { start, removed: 0, added, lastNow: start + added - 1 },
  ...more,
});

test("frames of one job are counted together, up to the last one", () => {
  const changes = [
    change("md", 7, 1),
    change("md", 5, 2),
    change(null, 0, 5),
    change("undone", 3, 1, { undoneBy: "x" }),
    change("replaced", 3, 1, { frames: { start: 3, removed: 1, added: 1, lastNow: 3 } }),
    change("moved", 3, 1, { frames: { start: 3, removed: 0, added: 1, lastNow: 9 } }),
    change("gone", 3, 1, { frames: { start: 3, removed: 0, added: 1, lastNow: null } }),
    change("selected", 0, 0, { frames: null }),
  ];
  const found = jobChanges(changes, 100);
  expect(found.get("md")).toEqual({ frames: { last: 7, count: 3, more: false } });
  expect(jobChanges(changes.slice(0, 2), 2).get("md")?.frames?.more).toBe(true);
  // Jobs that changed something else can be undone, too.
  expect([...found.keys()]).toEqual(["md", "replaced", "moved", "gone", "selected"]);
  expect(found.get("moved")?.frames?.last).toBe(9);
  expect(found.get("gone")).toEqual({});
  expect(found.get("replaced")).toEqual({});
});
