// The parts of a job's timeline with their durations.
import type { JobBrief } from "@/lib/jobs/job";

type Job = Pick<JobBrief, "status" | "createdAt" | "assignedAt" | "startedAt" | "finishedAt" | "progress">;

export interface TimelineSegment {
  step: "pending" | "assigned" | "running" | "end";
  /** The state that determines colour and label. */
  state: string;
  reached: boolean;
  current: boolean;
  ms: number | null;
  /** The progress of this part, if it is known. */
  fraction: number | null;
}

const at = (time: string | null) => (time === null ? null : Date.parse(time));

export function timelineSegments(job: Job, now: number): TimelineSegment[] {
  const created = Date.parse(job.createdAt);
  const finished = at(job.finishedAt);
  const waits = job.status === "pending" || job.status === "blocked";
  // A job that is back in the queue still has the times of its last attempt; they are ignored.
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
