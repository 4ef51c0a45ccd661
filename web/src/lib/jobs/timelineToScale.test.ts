import { expect, test } from "vitest";
import { timeSpans } from "./timelineToScale";

const at = (seconds: number) => new Date(Date.UTC(2026, 2, 1) + seconds * 1000).toISOString();
const now = Date.parse(at(100));
const job = {
  status: "completed",
  createdAt: at(0),
  assignedAt: at(50),
  startedAt: at(51),
  finishedAt: at(60),
  attempt: 2,
  attempts: [
    {
      attempt: 1,
      workerId: "w",
      reason: "failed",
      error: null,
      assignedAt: at(10),
      startedAt: at(12),
      endedAt: at(20),
    },
  ],
} as Parameters<typeof timeSpans>[0];
const shown = (spans: ReturnType<typeof timeSpans>) =>
  spans.map((span) => [span.state, (span.end - span.start) / 1000, span.attempt, span.lost]);

test("every wait and every attempt has its own length", () => {
  expect(shown(timeSpans(job, at(4), now))).toEqual([
    ["blocked", 4, undefined, undefined],
    ["pending", 6, undefined, undefined],
    ["assigned", 2, 1, true],
    ["running", 8, 1, true],
    ["pending", 30, undefined, undefined],
    ["assigned", 1, 2, undefined],
    ["running", 9, 2, undefined],
  ]);
});

test("a job that has not ended lasts until now", () => {
  const open = { ...job, attempts: [], attempt: 1, finishedAt: null };
  expect(shown(timeSpans({ ...open, status: "running" }, null, now)).at(-1)).toEqual([
    "running",
    49,
    1,
    undefined,
  ]);
  expect(
    shown(timeSpans({ ...open, status: "pending", assignedAt: null, startedAt: null }, null, now)),
  ).toEqual([["pending", 100, undefined, undefined]]);
  expect(
    shown(timeSpans({ ...open, status: "blocked", assignedAt: null, startedAt: null }, null, now)),
  ).toEqual([["blocked", 100, undefined, undefined]]);
});
