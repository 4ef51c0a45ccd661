// Filters and orders of lists of jobs: as a request, and applied to the jobs of events.
import type { JobBrief } from "@/lib/jobs/job";

export const SORTS = ["time", "duration", "priority", "name"] as const;
export type JobSort = (typeof SORTS)[number];

/** What a list of jobs has: those that meet a filter, of all users or of one. */
export interface ListedJobs extends JobFilter {
  /** Only the jobs of this user, without the calls of postings. */
  userId?: string;
}

export interface JobFilter {
  status?: string[];
  category?: string;
  name?: string;
  /** A part of `category/name`. */
  search?: string;
  /** Words of the arguments or of the error. */
  text?: string;
  user?: string;
  worker?: string;
  /** A time, or a span that ends now, such as 24h. */
  since?: string;
  until?: string;
  errorType?: string;
  /** ? stands for errors whose place is not known. */
  errorPlace?: string;
  /** Without the calls of postings. */
  single?: boolean;
  sort?: JobSort;
  order?: "ascending";
}

const HOUR_MS = 3_600_000;
const SPAN = /^(\d{1,5})(h|d)$/;

/** The milliseconds of a span such as 24h or 7d. */
export function spanMs(text: string | undefined): number | null {
  const [, number, unit] = text?.match(SPAN) ?? [];
  return number === undefined ? null : Number(number) * (unit === "d" ? 24 : 1) * HOUR_MS;
}

function startOf(since: string | undefined, now: number): string | undefined {
  const span = spanMs(since);
  return span === null ? since : new Date(now - span).toISOString();
}

/** The conditions as the server takes them, at a moment. */
export function conditions({ sort: _sort, order: _order, ...filter }: JobFilter, now = Date.now()) {
  return {
    ...filter,
    since: startOf(filter.since, now),
    errorPlace: filter.errorPlace === "?" ? "" : filter.errorPlace,
  };
}

/** Whether an event tells if its job belongs to the list, and where. Other lists are fetched again now and then. */
export function isLive(filter: JobFilter): boolean {
  return !(
    filter.text ||
    filter.worker ||
    filter.errorType ||
    filter.errorPlace ||
    filter.order ||
    (filter.sort && filter.sort !== "time")
  );
}

/** Whether a job meets the conditions that its event can tell. */
export function matchesFilter(job: JobBrief, filter: ListedJobs, now = Date.now()): boolean {
  const has = (text: string, part: string | undefined) =>
    !part || text.toLowerCase().includes(part.toLowerCase());
  const since = startOf(filter.since, now);
  const created = Date.parse(job.createdAt);
  return (
    (!filter.status?.length || filter.status.includes(job.status)) &&
    (!filter.category || filter.category === job.category) &&
    (!filter.name || filter.name === job.name) &&
    has(`${job.category}/${job.name}`, filter.search) &&
    has(job.user ?? "", filter.user) &&
    (!filter.userId || job.userId === filter.userId) &&
    (!(filter.single || filter.userId) || job.postingId === null) &&
    (!since || created >= Date.parse(since)) &&
    (!filter.until || created < Date.parse(filter.until))
  );
}
