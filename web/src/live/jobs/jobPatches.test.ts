import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { queryKeys } from "@/lib/api/queryKeys";
import { applyJob, applyLog, applyProgress } from "@/live/eventHandlers";
import {
  cutToSize,
  isDrained,
  type JobBrief,
  type JobList,
  patchJobs,
  patchLogs,
  patchTexts,
} from "@/live/jobs/jobPatches";

const job = (id: string, more: Partial<JobBrief> = {}): JobBrief =>
  ({
    jobId: id,
    room: "lab",
    category: "modifiers",
    name: "Relax",
    status: "pending",
    attempt: 0,
    createdAt: `2026-01-01T00:00:${id.padStart(2, "0")}Z`,
    finishedAt: null,
    progress: null,
    ...more,
  }) as JobBrief;

const list = (...items: JobBrief[]): JobList => ({ items, next: null });

describe("a list of jobs", () => {
  it("takes a new job in at its place, newest first", () => {
    expect(patchJobs(list(job("5"), job("1")), job("3")).items.map((one) => one.jobId)).toEqual([
      "5",
      "3",
      "1",
    ]);
  });

  it("leaves out what does not fit its filter, also when a job stops fitting", () => {
    const filter = { status: ["pending"] };
    expect(patchJobs(list(job("1")), job("2", { status: "running" }), filter).items).toHaveLength(1);
    expect(patchJobs(list(job("1")), job("1", { status: "running", attempt: 1 }), filter).items).toHaveLength(
      0,
    );
  });

  it("finds a part of the name in any case", () => {
    expect(patchJobs(list(), job("1"), { search: "ers/rel" }).items).toHaveLength(1);
    expect(patchJobs(list(), job("1"), { search: "anneal" }).items).toHaveLength(0);
  });

  it("takes in texts that were fetched, but no older state", () => {
    const ended = { status: "failed", attempt: 1, finishedAt: "2026-01-01T00:01:00Z" } as const;
    const known = list(job("1", ended), job("2", ended));
    const late = new Map([
      ["1", { ...job("1", ended), errorText: "ValueError: x" }],
      ["2", { ...job("2", { status: "running", attempt: 1 }), dataText: "n 1" }],
    ]);
    const { items } = patchTexts(known, late);
    expect(items.map((one) => [one.status, one.errorText])).toEqual([
      ["failed", "ValueError: x"],
      ["failed", undefined],
    ]);
    expect(patchTexts(known, new Map())).toBe(known);
  });

  it("leaves older jobs to the page they belong to", () => {
    const page = { items: [job("5")], next: "5" };
    expect(patchJobs(page, job("2")).items).toHaveLength(1);
  });

  it("does not let an old event undo a later one", () => {
    const ended = job("1", { status: "completed", attempt: 1, finishedAt: "2026-01-01T00:01:00Z" });
    expect(patchJobs(list(ended), job("1", { status: "running", attempt: 1 })).items[0]?.status).toBe(
      "completed",
    );
    const second = job("1", { status: "running", attempt: 2 });
    expect(patchJobs(list(second), job("1", { status: "assigned", attempt: 1 })).items[0]?.attempt).toBe(2);
  });

  it("takes a released job back to pending", () => {
    const assigned = job("1", { status: "assigned", attempt: 1 });
    expect(patchJobs(list(assigned), job("1", { status: "pending", attempt: 1 })).items[0]?.status).toBe(
      "pending",
    );
  });
});

describe("the pages of a list", () => {
  const page = (next: string | null, ...ids: string[]): JobList => ({
    items: ids.map((id) => job(id)),
    next,
    size: 2,
  });
  const ids = (pages: JobList[]) => pages.map(({ items }) => items.map(({ jobId }) => jobId));

  it("keep their size however many jobs come in, and go on where they end", () => {
    const client = new QueryClient();
    client.setQueryData(queryKeys.jobs("lab", {}), {
      pages: [page("4", "5", "4"), page("2", "3", "2")],
      pageParams: [{}, { before: "4" }],
    });
    for (const id of ["6", "7", "8"]) applyJob(client, job(id));
    const { pages } = client.getQueryData<{ pages: JobList[] }>(queryKeys.jobs("lab", {}))!;
    expect(ids(pages)).toEqual([
      ["8", "7"],
      ["6", "5"],
    ]);
    expect(pages.map(({ next }) => next)).toEqual(["7", "5"]);
  });

  it("are as they were where all jobs fit", () => {
    const pages = [page("5", "5"), page(null, "4", "3")];
    expect(cutToSize(pages)).toBe(pages);
    expect(cutToSize([page(null, "3", "2", "1")])[0]).toMatchObject({ next: "2" });
  });

  it("are fetched again when most of their jobs have left", () => {
    expect(isDrained({ ...page("1", "5"), size: 4 })).toBe(true);
    expect(isDrained({ ...page(null, "5"), size: 4 })).toBe(false);
    expect(isDrained(page("1", "5"))).toBe(false);
  });
});

describe("lines", () => {
  it("are added once and kept in order", () => {
    const known = patchLogs([], { jobId: "1", attempt: 1, line: 1, lines: ["a", "b"] }, "now");
    const more = patchLogs(known, { jobId: "1", attempt: 1, line: 2, lines: ["b", "c"] }, "now");
    expect(more.map((line) => line.text)).toEqual(["a", "b", "c"]);
  });
});

describe("the cache", () => {
  it("is patched page by page, with each list's own filter, and hears progress and lines", () => {
    const client = new QueryClient();
    client.setQueryData(queryKeys.jobs("lab", {}), {
      pages: [list(job("3")), list(job("1"))],
      pageParams: [],
    });
    client.setQueryData(queryKeys.jobs("lab", { status: ["failed"] }), { pages: [list()], pageParams: [] });
    client.setQueryData(queryKeys.jobLogs("1"), []);
    applyJob(client, job("1", { status: "running", attempt: 1 }));
    applyProgress(client, { room: "lab", jobId: "1", attempt: 1, fraction: 0.5, message: "half" });
    applyLog(client, { jobId: "1", attempt: 1, line: 1, lines: ["hello"] });
    const all = client.getQueryData<{ pages: JobList[] }>(queryKeys.jobs("lab", {}))!;
    expect(all.pages[1]?.items[0]).toMatchObject({
      status: "running",
      progress: { fraction: 0.5, message: "half" },
    });
    const failed = client.getQueryData<{ pages: JobList[] }>(queryKeys.jobs("lab", { status: ["failed"] }))!;
    expect(failed.pages[0]?.items).toEqual([]);
    expect(client.getQueryData(queryKeys.jobLogs("1"))).toHaveLength(1);
  });
});
