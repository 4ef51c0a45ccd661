// A job as lists and events have it.
import type { Schemas } from "@/lib/api/client";

type Texts = Pick<
  Schemas["ListedJob"],
  "dataText" | "resultText" | "errorText" | "worker" | "waitingFor" | "waitingText"
>;

/** A job in an event. */
export type JobBrief = Omit<Schemas["ListedJob"], keyof Texts>;

/** A job in a list; one that an event added has no texts yet. */
export type ListedJob = JobBrief & Partial<Texts>;
