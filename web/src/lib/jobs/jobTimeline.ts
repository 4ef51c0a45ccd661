// The parts of a job's way, with their lengths: what the bar shows.
import type { Schemas } from "@/lib/api/client";

type Job = Pick<
  Schemas["JobBrief"],
  "status" | "createdAt" | "assignedAt" | "startedAt" | "finishedAt" | "progress"
>;

export interface TimelineSegment {
  step: "pending" | "assigned" | "running" | "end";
  /** The state whose colour and name it has. */
  state: string;
  reached: boolean;
  current: boolean;
  ms: number | null;
  /** How much of it is done, where that is known. */
  fraction: number | null;
}

const at = (time: string | null) => (time === null ? null : Date.parse(time));

export function timelineSegments(job: Job, now: number): TimelineSegment[] {
  const created = Date.parse(job.createdAt);
  const finished = at(job.finishedAt);
  const waits = job.status === "pending" || job.status === "blocked";
  // Back in the queue after an attempt: the old times tell of that attempt.
  const assigned = waits ? null : at(job.assignedAt);
  const started = waits ? null : at(job.startedAt);
  const ended = finished !== null;
  const span = (from: number | null, to: number | null) =>
    from === null ? null : Math.max(0, (to ?? finished ?? now) - from);
  const final = job.status === "failed" || job.status === "cancelled" ? job.status : "completed";
  return [
    {
      step: "pending",
      state: job.status === "blocked" ? "blocked" : "pending",
      reached: true,
      current: waits,
      ms: span(created, assigned ?? started),
      fraction: null,
    },
    {
      step: "assigned",
      state: "assigned",
      reached: assigned !== null,
      current: job.status === "assigned",
      ms: span(assigned, started),
      fraction: null,
    },
    {
      step: "running",
      state: "running",
      reached: started !== null,
      current: job.status === "running",
      ms: span(started, finished),
      fraction: job.status === "running" ? (job.progress?.fraction ?? null) : null,
    },
    { step: "end", state: final, reached: ended, current: ended, ms: null, fraction: null },
  ];
}
