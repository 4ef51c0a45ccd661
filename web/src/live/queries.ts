// Queries and mutations that several features share.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { applyJob } from "@/live/eventHandlers";
import type { JobBrief, JobFilter, JobList, LogLine } from "@/live/jobPatches";
import { type NewFrames, newFrames } from "@/live/newFrames";

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

/** The jobs of a room, of all rooms (admins) or of one user, newest first, in pages. */
export function useJobs(of: { room?: string; user?: string }, filter: JobFilter, limit = 50) {
  const { room, user } = of;
  return useInfiniteQuery({
    queryKey: room === undefined ? queryKeys.allJobs({ user, ...filter }) : queryKeys.jobs(room, filter),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: JobList) => page.next ?? undefined,
    queryFn: async ({ pageParam, signal }): Promise<JobList> => {
      const query = { before: pageParam, limit, ...filter };
      if (room !== undefined)
        return (await api.GET("/api/rooms/{room}/jobs", { params: { path: { room }, query }, signal })).data!;
      if (user !== undefined)
        return (await api.GET("/api/users/{id}/jobs", { params: { path: { id: user }, query }, signal }))
          .data!;
      return (await api.GET("/api/jobs", { params: { query }, signal })).data!;
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

/** The frames that jobs of a room added and that were not undone, by job, from the latest changes of the room. */
export function useNewFrames(room: string): ReadonlyMap<string, NewFrames> {
  const { data } = useQuery({
    queryKey: queryKeys.newFrames(room),
    queryFn: async ({ signal }) =>
      (
        await api.GET("/api/rooms/{room}/changes", {
          params: { path: { room }, query: { limit: MAX_CHANGES } },
          signal,
        })
      ).data!.items,
  });
  return useMemo(() => newFrames(data ?? [], MAX_CHANGES), [data]);
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
        applyJob(client, { ...job, cancelling: true });
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
