import type { JobBrief } from "@/live/jobs/jobPatches";

/** The same act in two words: a new job with the input of one that did not complete, or of one that did. */
export const retryLabel = ({ status }: Pick<JobBrief, "status">) =>
  status === "completed" ? "Run again" : "Retry";
