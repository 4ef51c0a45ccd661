import type { JobBrief } from "@/live/jobs/jobPatches";

/** A job that checks for the request ends within this time. */
const PATIENCE_MS = 3_000;

type Job = Pick<JobBrief, "status" | "cancelling" | "cancelRequestedAt" | "finishedAt">;

export function cancelNote(job: Job, now: number): string | null {
  if (!job.cancelRequestedAt) return null;
  const asked = Date.parse(job.cancelRequestedAt);
  if (job.status === "completed") return "It was asked to stop, did not check for that, and ran to its end.";
  if (job.status === "failed") return "It was asked to stop, and failed before it did.";
  if (job.cancelling && now - asked >= PATIENCE_MS)
    return "Asked to stop; this extension does not check for it, so it may run on.";
  return null;
}
