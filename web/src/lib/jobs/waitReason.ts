// "Why is my job waiting?", in words.
import { duration, plural } from "@/lib/format";

interface WaitingJob {
  status: string;
  name: string;
  waitingFor: string;
  queuePosition: number | null;
  etaSeconds: number | null;
  runAt?: string | null;
}

const REASONS: Record<string, (job: WaitingJob) => string> = {
  no_worker: (job) => `No worker that offers ${job.name} is online. It starts as soon as one comes.`,
  all_busy: () => "All workers are busy.",
  paused: () => "It is paused.",
  breaker_open: (job) => `${job.name} keeps failing at every worker online; it is tried again after a while.`,
  backing_off: () => "Its start is set for later.",
  dependencies: () => "Other jobs come first.",
};

export function waitReason(job: WaitingJob): string | null {
  if (job.status !== "pending" && job.status !== "blocked") return null;
  return REASONS[job.waitingFor]?.(job) ?? null;
}

export function queuePosition(job: WaitingJob): string | null {
  if (job.status !== "pending" || job.queuePosition === null) return null;
  const ahead = job.queuePosition === 0 ? "next in line" : `${plural(job.queuePosition, "job")} ahead`;
  return job.etaSeconds === null ? ahead : `${ahead} · starts in about ${duration(job.etaSeconds * 1000)}`;
}
