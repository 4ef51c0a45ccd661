// Pure functions that apply job events to cached data.
import type { Schemas } from "@/lib/api/client";
import type { JobBrief, ListedJob } from "@/lib/jobs/job";
import { isLive, type ListedJobs, matchesFilter } from "@/live/jobs/jobFilter";

export type { JobBrief, ListedJob };
export type JobDetail = Schemas["JobDetail"];
/** A page of jobs; `size` is how many were asked for. */
export type JobList = Omit<Schemas["Jobs"], "items"> & { items: ListedJob[]; size?: number };
export type LogLine = Schemas["LogLine"];

const RANK: Record<string, number> = {
  blocked: 0,
  pending: 1,
  assigned: 2,
  running: 3,
  completed: 4,
  failed: 4,
  cancelled: 4,
};

/** Events may arrive out of order: a later attempt, or a later state of the same attempt, wins. */
export function isNewer(event: JobBrief, known: JobBrief): boolean {
  if (event.attempt !== known.attempt) return event.attempt > known.attempt;
  const ended = known.finishedAt !== null;
  if (ended) return event.finishedAt !== null;
  // A released job returns to pending within the same attempt, so only final states outrank all others.
  return RANK[event.status]! >= RANK[known.status]! || event.status === "pending";
}

/** A list of jobs, newest first, after a job has changed. */
export function patchJobs(list: JobList, event: JobBrief, filter: ListedJobs = {}): JobList {
  const at = list.items.findIndex((job) => job.jobId === event.jobId);
  if (at < 0) {
    if (!isLive(filter) || !matchesFilter(event, filter)) return list;
    // The job is older than all fetched jobs and belongs to a later page.
    const last = list.items.at(-1);
    if (last && list.next && event.createdAt < last.createdAt) return list;
    const place = list.items.findIndex((job) => job.createdAt < event.createdAt);
    const items = [...list.items];
    items.splice(place < 0 ? items.length : place, 0, event);
    return { ...list, items };
  }
  const known = list.items[at]!;
  if (!isNewer(event, known)) return list;
  const items = [...list.items];
  if (matchesFilter(event, filter)) items[at] = { ...known, ...event };
  else items.splice(at, 1);
  return { ...list, items };
}

/** Pages after jobs came in: what no longer fits on a page moves to the next one, and off the last one. */
export function cutToSize(pages: JobList[]): JobList[] {
  if (pages.every(({ items, size = Infinity }) => items.length <= size)) return pages;
  let over: ListedJob[] = [];
  return pages.map((page, at) => {
    const { size = Infinity } = page;
    const items = [...over, ...page.items];
    over = items.slice(size);
    const kept = items.slice(0, size);
    const isLast = at === pages.length - 1;
    const last = over.length ? kept.at(-1)!.jobId : page.next;
    return { ...page, items: kept, next: isLast ? last : (kept.at(-1)?.jobId ?? page.next) };
  });
}

/** Whether so many jobs have left the only page of a list that it is fetched again. */
export const isDrained = ({ items, next, size = 0, comparedSince }: JobList) =>
  // A search that ended before it had found so many jobs has a short page from the start.
  Boolean(next) && !comparedSince && items.length < size / 2;

/** A list after the texts of some of its jobs were fetched. */
export function patchTexts(list: JobList, fetched: ReadonlyMap<string, ListedJob>): JobList {
  const items = list.items.map((job) => {
    const found = fetched.get(job.jobId);
    return found && isNewer(found, job) ? { ...job, ...found } : job;
  });
  return items.every((job, at) => job === list.items[at]) ? list : { ...list, items };
}

export function patchDetail(job: JobDetail, event: JobBrief): JobDetail {
  return isNewer(event, job) ? { ...job, ...event } : job;
}

export interface JobProgressEvent {
  jobId: string;
  attempt: number;
  fraction: number | null;
  message: string;
}

export function patchProgress<T extends JobBrief>(job: T, event: JobProgressEvent): T {
  if (event.attempt !== job.attempt || job.finishedAt !== null) return job;
  return { ...job, progress: { fraction: event.fraction, message: event.message } };
}

export interface JobLogEvent {
  jobId: string;
  attempt: number;
  /** The number of the first line. */
  line: number;
  lines: string[];
}

const MAX_LINES = 2_000;

export function patchLogs(known: LogLine[], event: JobLogEvent, at: string): LogLine[] {
  const seen = new Set(known.map((line) => line.line));
  const fresh = event.lines
    .map((text, offset) => ({ line: event.line + offset, attempt: event.attempt, at, text }))
    .filter((line) => !seen.has(line.line));
  return fresh.length ? [...known, ...fresh].sort((a, b) => a.line - b.line).slice(-MAX_LINES) : known;
}
