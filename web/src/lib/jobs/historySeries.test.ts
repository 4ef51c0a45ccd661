import { expect, test } from "vitest";
import type { Schemas } from "@/lib/api/client";
import { historySeries } from "./historySeries";

test("steps without jobs count as zero, and have no times", () => {
  const history = {
    since: "2026-03-01T00:00:00Z",
    stepSeconds: 3600,
    items: [
      {
        at: "2026-03-01T01:00:00Z",
        completed: 7,
        failed: 2,
        cancelled: 0,
        waitP50Ms: 500,
        waitP95Ms: 2000,
        runP50Ms: null,
        runP95Ms: null,
      },
    ],
    extensions: [],
  } as Schemas["JobHistory"];
  const series = historySeries(history, Date.parse("2026-03-01T02:30:00Z"));
  expect(series.times.length).toBe(3);
  expect(series.completed).toEqual([0, 7, 0]);
  expect(series.failed).toEqual([0, 2, 0]);
  expect(series.waits).toEqual([
    [null, 0.5, null],
    [null, 2, null],
  ]);
  expect(series.runs[0]).toEqual([null, null, null]);
});
