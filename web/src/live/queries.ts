// Queries and mutations that several features share.
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import type { Graph } from "@/lib/jobs/graphLayout";
import { applyJob } from "@/live/eventHandlers";
import { type JobChange, jobChanges } from "@/live/jobs/jobChanges";
import { conditions, isLive, type JobFilter, type ListedJobs } from "@/live/jobs/jobFilter";
import type { JobBrief, JobList, LogLine } from "@/live/jobs/jobPatches";

export function useRoomInfo(room: string, enabled = true) {
  return useQuery({
    queryKey: queryKeys.roomInfo(room),
    enabled,
    queryFn: async ({ signal }) =>
      (await api.GET("/api/rooms/{room}", { params: { path: { room } }, signal })).data!,
  });
}

export function useExtensions(room: string, enabled = true) {
  return useQuery({
    queryKey: queryKeys.extensions(room),
    enabled,
    queryFn: async ({ signal }) =>
      (await api.GET("/api/rooms/{room}/extensions", { params: { path: { room } }, signal })).data!.items,
  });
}

/** Events update the list of workers; their load is polled in the given interval. */
export function useWorkers(room: string | null, every: number | false = false) {
  return useQuery({
    queryKey: room === null ? queryKeys.allWorkers : queryKeys.workers(room),
    refetchInterval: every,
    queryFn: async ({ signal }) =>
      room === null
        ? (await api.GET("/api/workers", { signal })).data!.items
        : (await api.GET("/api/rooms/{room}/workers", { params: { path: { room } }, signal })).data!.items,
  });
}

/** Pause between fetches of a list whose filter or order events cannot apply. */
const REFETCH_MS = 5_000;

/** The jobs of a room, of all rooms (admins) or of one user, in pages. */
export function useJobs(of: { room?: string; user?: string }, filter: JobFilter, limit = 50) {
  const { room, user } = of;
  const byTime = (filter.sort ?? "time") === "time";
  return useInfiniteQuery({
    queryKey:
      room === undefined
        ? queryKeys.allJobs({ userId: user, ...filter } satisfies ListedJobs)
        : queryKeys.jobs(room, filter),
    initialPageParam: {} as { before?: string; offset?: number },
    getNextPageParam: (page: JobList, pages) => {
      if (byTime) return page.next ? { before: page.next } : undefined;
      return page.items.length === limit ? { offset: pages.length * limit } : undefined;
    },
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      if (pages.length > 1) return false;
      // No event tells that a job waits for something else than before.
      const waits = pages[0]?.items.some((job) => job.status === "pending" || job.status === "blocked");
      // Events about jobs of other users in rooms that the page has not joined do not arrive.
      const everybodys = room === undefined && user === undefined;
      return everybodys || !isLive(filter) ? REFETCH_MS : waits ? 2 * REFETCH_MS : false;
    },
    queryFn: async ({ pageParam, signal }): Promise<JobList> => {
      const { sort, order } = filter;
      const query = { ...pageParam, limit, sort, order, ...conditions(filter) };
      const answer =
        room !== undefined
          ? await api.GET("/api/rooms/{room}/jobs", { params: { path: { room }, query }, signal })
          : user !== undefined
            ? await api.GET("/api/users/{id}/jobs", { params: { path: { id: user }, query }, signal })
            : await api.GET("/api/jobs", { params: { query }, signal });
      return { ...answer.data!, size: limit };
    },
  });
}

export function useJob(id: string, enabled = true) {
  return useQuery({
    queryKey: queryKeys.job(id),
    enabled,
    queryFn: async ({ signal }) =>
      (await api.GET("/api/jobs/{id}", { params: { path: { id } }, signal })).data!,
  });
}

const MAX_CHANGES = 100;

/** What jobs of a room changed and was not undone, by job, from the latest changes of the room. */
export function useJobChanges(room: string): ReadonlyMap<string, JobChange> {
  const { data } = useQuery({
    queryKey: queryKeys.jobChanges(room),
    queryFn: async ({ signal }) =>
      (
        await api.GET("/api/rooms/{room}/changes", {
          params: { path: { room }, query: { limit: MAX_CHANGES } },
          signal,
        })
      ).data!.items,
  });
  return useMemo(() => jobChanges(data ?? [], MAX_CHANGES), [data]);
}

/** What a job depends on, and what depends on it. States of others change without an event for this job. */
export function useJobGraph({ jobId, status }: Pick<JobBrief, "jobId" | "status">) {
  return useQuery<Graph>({
    queryKey: [...queryKeys.jobGraph(jobId), status],
    refetchInterval: ({ state }) =>
      state.data?.nodes.some((node) => node.finishedAt === null) ? REFETCH_MS : false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await api.GET("/api/jobs/{id}/graph", { params: { path: { id: jobId } }, signal })).data!,
  });
}

export function useJobLogs(id: string, enabled = true) {
  return useQuery({
    queryKey: queryKeys.jobLogs(id),
    enabled,
    queryFn: async ({ signal }): Promise<LogLine[]> =>
      (await api.GET("/api/jobs/{id}/logs", { params: { path: { id } }, signal })).data!.items,
  });
}

export function useCancelJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (job: JobBrief) => {
      await api.DELETE("/api/jobs/{id}", { params: { path: { id: job.jobId } } });
      if (job.status !== "pending" && job.status !== "blocked")
        applyJob(client, { ...job, cancelling: true, cancelRequestedAt: new Date().toISOString() });
    },
    onSettled: (_data, _error, job) =>
      client.invalidateQueries({ queryKey: queryKeys.job(job.jobId), exact: true }),
  });
}

export function useRetryJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (job: JobBrief) =>
      (await api.POST("/api/jobs/{id}/retry", { params: { path: { id: job.jobId } } })).data!,
    onSuccess: (_data, job) => {
      if (job.room !== null) void client.invalidateQueries({ queryKey: queryKeys.jobs(job.room) });
      void client.invalidateQueries({ queryKey: queryKeys.allJobs() });
    },
  });
}
