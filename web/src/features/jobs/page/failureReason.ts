import type { Schemas } from "@/lib/api/client";

type FailureReason = Schemas["FailureReason"];
type Attempt = Schemas["Attempt"];

// The compiler requires a text for every reason that the server can send.
const REASONS: Record<FailureReason | Attempt["reason"], string> = {
  timeout: "The job exceeded its timeout.",
  process_died: "The process of the job ended before the job did.",
  value_refused: "An argument or the result cannot be stored or restored, so the job is not tried again.",
  worker_lost: "The worker was lost while it had the job.",
  dependency_failed: "A job that this one depends on failed or was cancelled.",
  failed: "The job's code raised an error.",
  unconfirmed: "The worker did not confirm the job in time.",
};

export const reasonLabel = (reason: FailureReason) => REASONS[reason];

/** Why an attempt was followed by another: the reason of its error says more than that it failed. */
export const attemptLabel = (attempt: Attempt) => REASONS[attempt.error?.reason ?? attempt.reason];
