// How events change what the cache knows of jobs: pure functions, tested without a browser.
import type { Schemas } from "@/lib/api";

export type JobBrief = Schemas["JobBrief"];
export type JobDetail = Schemas["JobDetail"];
export type JobList = Schemas["Jobs"];
export type LogLine = Schemas["LogLine"];

export interface JobFilter {
  status?: string[];
  category?: string;
  name?: string;
}

const RANK: Record<string, number> = {
  blocked: 0,
  pending: 1,
  assigned: 2,
  running: 3,
  completed: 4,
  failed: 4,
  cancelled: 4,
};

/** Events may overtake each other: a later attempt, or a later state of the same attempt, wins. */
export function isNewer(told: JobBrief, known: JobBrief): boolean {
  if (told.attempt !== known.attempt) return told.attempt > known.attempt;
  const ended = known.finishedAt !== null;
  if (ended) return told.finishedAt !== null;
  // A release takes a job of the same attempt back to pending, so only final states outrank everything.
  return RANK[told.status]! >= RANK[known.status]! || told.status === "pending";
}

export function fits(job: JobBrief, filter: JobFilter): boolean {
  return (
    (!filter.status?.length || filter.status.includes(job.status)) &&
    (!filter.category || filter.category === job.category) &&
    (!filter.name || filter.name === job.name)
  );
}

/** A list of jobs, newest first, after a job has changed. */
export function patchJobs(list: JobList, told: JobBrief, filter: JobFilter = {}): JobList {
  const at = list.items.findIndex((job) => job.jobId === told.jobId);
  if (at < 0) {
    if (!fits(told, filter)) return list;
    // Older than everything shown while there is more to fetch: it belongs on a later page.
    const last = list.items.at(-1);
    if (last && list.next && told.createdAt < last.createdAt) return list;
    const place = list.items.findIndex((job) => job.createdAt < told.createdAt);
    const items = [...list.items];
    items.splice(place < 0 ? items.length : place, 0, told);
    return { ...list, items };
  }
  const known = list.items[at]!;
  if (!isNewer(told, known)) return list;
  const items = [...list.items];
  if (fits(told, filter)) items[at] = { ...known, ...told };
  else items.splice(at, 1);
  return { ...list, items };
}

export function patchDetail(job: JobDetail, told: JobBrief): JobDetail {
  return isNewer(told, job) ? { ...job, ...told } : job;
}

export interface ProgressTold {
  jobId: string;
  attempt: number;
  fraction: number | null;
  message: string;
}

export function patchProgress<T extends JobBrief>(job: T, told: ProgressTold): T {
  if (told.attempt !== job.attempt || job.finishedAt !== null) return job;
  return { ...job, progress: { fraction: told.fraction, message: told.message } };
}

export interface LogTold {
  jobId: string;
  attempt: number;
  /** The number of the first of these lines. */
  line: number;
  lines: string[];
}

const MOST_LINES = 2_000;

export function patchLogs(known: LogLine[], told: LogTold, at: string): LogLine[] {
  const seen = new Set(known.map((line) => line.line));
  const fresh = told.lines
    .map((text, offset) => ({ line: told.line + offset, attempt: told.attempt, at, text }))
    .filter((line) => !seen.has(line.line));
  return fresh.length ? [...known, ...fresh].sort((a, b) => a.line - b.line).slice(-MOST_LINES) : known;
}
