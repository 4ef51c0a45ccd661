// Series for charts from the history of ended jobs.
import type { Schemas } from "@/lib/api/client";

type History = Schemas["JobHistory"];

export interface HistorySeries {
  /** In seconds since 1970. */
  times: number[];
  completed: number[];
  failed: number[];
  waits: (number | null)[][];
  runs: (number | null)[][];
}

/** A point for every step up to now. The server leaves out the steps in which no job ended. */
export function historySeries({ since, stepSeconds, items }: History, now: number): HistorySeries {
  const known = new Map(items.map((item) => [Date.parse(item.at) / 1000, item]));
  const first = Math.ceil(Date.parse(since) / 1000 / stepSeconds) * stepSeconds;
  const times: number[] = [];
  for (let at = first; at <= now / 1000; at += stepSeconds) times.push(at);
  const each = <T>(value: (item: History["items"][number]) => T, none: T) =>
    times.map((at) => {
      const item = known.get(at);
      return item ? value(item) : none;
    });
  const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);
  return {
    times,
    completed: each((item) => item.completed, 0),
    failed: each((item) => item.failed, 0),
    waits: [each((item) => seconds(item.waitP50Ms), null), each((item) => seconds(item.waitP95Ms), null)],
    runs: [each((item) => seconds(item.runP50Ms), null), each((item) => seconds(item.runP95Ms), null)],
  };
}
