import { expect, test } from "vitest";
import type { JobBrief } from "@/live/jobs/jobPatches";
import { endedEntries } from "./panelEntries";

const job = (jobId: string, minute: number, more: Partial<JobBrief> = {}): JobBrief =>
  ({
    jobId,
    postingId: null,
    createdAt: `2026-01-01T00:${String(minute).padStart(2, "0")}:00Z`,
    finishedAt: "2026-01-01T01:00:00Z",
    ...more,
  }) as JobBrief;

test("a posting stands among the jobs at its time, and waiting jobs are left to the queue", () => {
  const entries = endedEntries(
    [
      job("new", 30),
      job("waiting", 29, { finishedAt: null }),
      job("p2", 4, { postingId: "p" }),
      job("p1", 4, { postingId: "p", finishedAt: null }),
      job("old", 2),
    ],
    10,
  );
  expect(entries.map((one) => (one.kind === "job" ? one.job.jobId : one.posting))).toEqual([
    "new",
    "p",
    "old",
  ]);
  expect(endedEntries([job("a", 3), job("b", 2), job("c", 1)], 2)).toHaveLength(2);
});
