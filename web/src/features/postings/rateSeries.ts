// The rate of a posting over time: what the server counted before the page was opened, and what the page has seen since.
import type { Schemas } from "@/lib/api/client";
import type { TimeSeries } from "@/lib/timeSeries";

type History = Pick<Schemas["JobHistory"], "since" | "stepSeconds" | "items">;

/** Jobs that ran to their end per second; `until` (milliseconds) is when the history was read, or the posting ended. */
export function rateSeries(history: History | undefined, until: number, live: TimeSeries): TimeSeries {
  if (!history?.items.length) return live;
  const { stepSeconds: step } = history;
  const ran = new Map(
    history.items.map((one) => [Math.floor(Date.parse(one.at) / 1000 / step), one.completed + one.failed]),
  );
  const first = Math.floor(Date.parse(history.since) / 1000 / step);
  const end = until / 1000;
  const times: number[] = [];
  const rates: number[] = [];
  for (let at = first; at * step < end; at += 1) {
    const length = Math.min(step, end - at * step);
    // A step that has only just begun has no rate yet.
    if (length < step / 2 && times.length) continue;
    times.push(at * step + length / 2);
    rates.push((ran.get(at) ?? 0) / length);
  }
  const from = live.times.findIndex((time) => time > end);
  if (from >= 0) {
    times.push(...live.times.slice(from));
    rates.push(...(live.values[0] ?? []).slice(from).map((rate) => rate ?? 0));
  }
  return { times, values: [rates] };
}
