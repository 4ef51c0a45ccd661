// Why a job waits, as text.
import { duration, plural } from "@/lib/format";

/** A job that an event added to a list has no reason yet. */
interface WaitingJob {
  status: string;
  name: string;
  waitingFor?: string;
  waitingText?: string;
}

interface QueuedJob extends WaitingJob {
  queuePosition: number | null;
  etaSeconds: number | null;
}

const REASONS: Record<string, (job: WaitingJob) => string> = {
  no_worker: (job) =>
    job.waitingText
      ? sentence(job.waitingText)
      : `No worker that offers ${job.name} is online. It starts when one connects.`,
  no_resources: (job) => sentence(job.waitingText ?? ""),
  no_time: (job) => sentence(job.waitingText ?? ""),
  all_busy: () => "All workers are busy.",
  paused: () => "It is paused.",
  breaker_open: (job) => `${job.name} fails on all online workers; it is retried after a pause.`,
  backing_off: () => "It is scheduled for later.",
  dependencies: () => "It waits for the jobs it depends on.",
};

// The server names the resources and the time that are missing.
function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export function waitReason(job: WaitingJob): string | null {
  if (job.status !== "pending" && job.status !== "blocked") return null;
  return REASONS[job.waitingFor ?? ""]?.(job) ?? null;
}

export function queuePosition(job: QueuedJob): string | null {
  if (job.status !== "pending" || job.queuePosition === null) return null;
  const ahead = job.queuePosition === 0 ? "next in line" : `${plural(job.queuePosition, "job")} ahead`;
  return job.etaSeconds === null ? ahead : `${ahead} · starts in about ${duration(job.etaSeconds * 1000)}`;
}
