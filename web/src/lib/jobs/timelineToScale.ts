// The history of a job as spans of time: blocked, in the queue, at a worker, running; one after the other, for each attempt.
import type { Schemas } from "@/lib/api/client";

type Job = Pick<
  Schemas["JobDetail"],
  "status" | "createdAt" | "assignedAt" | "startedAt" | "finishedAt" | "attempt"
> &
  // Only the details of a job have its earlier attempts.
  Partial<Pick<Schemas["JobDetail"], "attempts">>;

export interface TimeSpan {
  /** Determines colour and label. */
  state: "blocked" | "pending" | "assigned" | "running";
  /** In milliseconds since 1970. */
  start: number;
  end: number;
  /** The number of the attempt, of spans at a worker. */
  attempt?: number;
  /** This attempt failed or was lost, and another followed. */
  lost?: boolean;
}

/** `unblockedAt`: when the last of its dependencies ended; null when it has none. */
export function timeSpans(job: Job, unblockedAt: string | null, now: number): TimeSpan[] {
  const spans: TimeSpan[] = [];
  let from = Date.parse(job.createdAt);
  const end = job.finishedAt === null ? now : Date.parse(job.finishedAt);
  const until = (state: TimeSpan["state"], time: number, more: Partial<TimeSpan> = {}) => {
    // Clocks of the server and of the database differ by some milliseconds.
    const at = Math.min(Math.max(time, from), Math.max(end, from));
    if (at > from || more.attempt !== undefined) spans.push({ state, start: from, end: at, ...more });
    from = at;
  };
  if (job.status === "blocked") until("blocked", now);
  else if (unblockedAt !== null) until("blocked", Date.parse(unblockedAt));
  for (const one of job.attempts ?? []) {
    until("pending", Date.parse(one.assignedAt));
    const started = one.startedAt ?? one.endedAt;
    until("assigned", Date.parse(started), { attempt: one.attempt, lost: true });
    if (one.startedAt !== null)
      until("running", Date.parse(one.endedAt), { attempt: one.attempt, lost: true });
  }
  const waits = job.status === "pending" || job.status === "blocked";
  if (waits || job.assignedAt === null) {
    if (job.status !== "blocked") until("pending", end);
    return spans;
  }
  until("pending", Date.parse(job.assignedAt));
  until("assigned", job.startedAt === null ? end : Date.parse(job.startedAt), { attempt: job.attempt });
  if (job.startedAt !== null) until("running", end, { attempt: job.attempt });
  return spans;
}
