import { describe, expect, it } from "vitest";
import { ago, count, duration, fineDuration, number } from "../format";
import { timelineSegments } from "./jobTimeline";

const at = (seconds: number) => new Date(seconds * 1000).toISOString();

describe("the bar of a job", () => {
  it("has the lengths of its parts and ends in its last state", () => {
    const parts = timelineSegments(
      {
        status: "failed",
        createdAt: at(0),
        assignedAt: at(2),
        startedAt: at(3),
        finishedAt: at(7),
        progress: null,
      },
      99_000,
    );
    expect(parts.map((one) => [one.state, one.reached, one.ms])).toEqual([
      ["pending", true, 2_000],
      ["assigned", true, 1_000],
      ["running", true, 4_000],
      ["failed", true, null],
    ]);
  });

  it("grows with the clock while it waits, and forgets an attempt that was given back", () => {
    const parts = timelineSegments(
      {
        status: "pending",
        createdAt: at(0),
        assignedAt: at(2),
        startedAt: at(3),
        finishedAt: null,
        progress: null,
      },
      10_000,
    );
    expect(parts.map((one) => one.reached)).toEqual([true, false, false, false]);
    expect(parts[0]).toMatchObject({ current: true, ms: 10_000 });
  });
});

describe("numbers and times", () => {
  it("are short", () => {
    expect([0.2, 8, 1_300, 65_000, 11_520_000, 352_800_000].map(duration)).toEqual([
      "<1 ms",
      "8 ms",
      "1.3 s",
      "1 min 5 s",
      "3 h 12 min",
      "4 d 2 h",
    ]);
    expect([0.0124, 0.83, 1_300].map(fineDuration)).toEqual(["12.4 µs", "0.83 ms", "1.3 s"]);
    expect([ago(0, 1_000), ago(0, 40_000), ago(0, 7_200_000)]).toEqual(["just now", "40 s ago", "2 h ago"]);
    expect([count(1234), count(12_345, true), count(2_500_000, true)]).toEqual(["1,234", "12.3k", "2.5M"]);
    expect([number(0.1 + 0.2), number(1e-7), number(42)]).toEqual(["0.3", "1.000e-7", "42"]);
  });
});
