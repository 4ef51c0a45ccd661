import { expect, test } from "vitest";
import type { JobBrief } from "@/lib/jobs/job";
import { conditions, isLive, matchesFilter, spanMs } from "./jobFilter";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const job = {
  category: "modifiers",
  name: "Relax",
  status: "failed",
  user: "Ada",
  userId: "a-1",
  postingId: null,
  createdAt: "2026-03-01T11:30:00Z",
} as JobBrief;

test("a span ends now", () => {
  expect(spanMs("24h")).toBe(86_400_000);
  expect(spanMs("7d")).toBe(7 * 86_400_000);
  expect(spanMs("2026-03-01T00:00:00Z")).toBeNull();
  expect(conditions({ since: "1h", errorPlace: "?", sort: "name" }, NOW)).toEqual({
    since: "2026-03-01T11:00:00.000Z",
    errorPlace: "",
  });
});

test("events tell whether a job is in the time, of the user and of a posting", () => {
  expect(matchesFilter(job, { since: "1h", user: "ad", search: "ers/re", single: true }, NOW)).toBe(true);
  expect(matchesFilter(job, { until: "2026-03-01T11:30:00Z" }, NOW)).toBe(false);
  expect(matchesFilter({ ...job, createdAt: "2026-03-01T10:00:00Z" }, { since: "1h" }, NOW)).toBe(false);
  expect(matchesFilter({ ...job, postingId: "some" }, { single: true }, NOW)).toBe(false);
  expect(matchesFilter(job, { user: "grace" }, NOW)).toBe(false);
});

test("a list of one user takes no jobs of others and no calls of postings", () => {
  expect(matchesFilter(job, { userId: "a-1" }, NOW)).toBe(true);
  expect(matchesFilter(job, { userId: "g-1" }, NOW)).toBe(false);
  expect(matchesFilter({ ...job, postingId: "some" }, { userId: "a-1" }, NOW)).toBe(false);
});

test("events do not tell arguments, errors and places in another order", () => {
  expect(isLive({ status: ["failed"], sort: "time" })).toBe(true);
  for (const filter of [{ text: "a" }, { worker: "a" }, { errorType: "a" }, { sort: "name" as const }])
    expect(isLive(filter)).toBe(false);
});
