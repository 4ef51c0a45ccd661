import { useThrottledValue } from "@mantine/hooks";
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api, isNotFound, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { isOpen, type Posting, type PostingFilter, type PostingList } from "@/live/postingPatches";

export { isOpen, type Posting } from "@/live/postingPatches";

export type PostedJob = Schemas["PostedJob"];
export type JobFailure = Schemas["JobFailure"];

/** Fallback interval in case an event is lost. */
const REFETCH_MS = 15_000;
/** The page receives no events of postings in rooms that it has not joined. */
const MIN_REFETCH_MS = 60_000;
/** The page size limit of the server. */
const PAGE_JOBS = 500;

export function usePostings(filter: PostingFilter) {
  return useInfiniteQuery({
    queryKey: queryKeys.postings("list", filter),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: PostingList) => page.next ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some(isOpen)) ? REFETCH_MS : MIN_REFETCH_MS,
    queryFn: async ({ pageParam, signal }) =>
      (
        await api.GET("/api/postings", {
          params: {
            query: { before: pageParam, limit: 50, status: filter.status, mine: filter.mine || undefined },
          },
          signal,
        })
      ).data!,
  });
}

export function usePosting(id: string, enabled = true) {
  return useQuery<Posting>({
    queryKey: queryKeys.postings(id),
    enabled,
    refetchInterval: ({ state }) =>
      (state.data && !isOpen(state.data)) || isNotFound(state.error) ? false : REFETCH_MS,
    queryFn: async ({ signal }) =>
      (await api.GET("/api/postings/{id}", { params: { path: { id } }, signal })).data!,
  });
}

/** Calls `act` when `mark` changes, at most once in each pause. */
function useRefetchOnChange(mark: string | number, pause: number, act: () => void) {
  const calm = useThrottledValue(mark, pause);
  const seen = useRef(calm);
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    if (seen.current === calm) return;
    seen.current = calm;
    latest.current();
  }, [calm]);
}

const ended = (posting: Posting) => posting.completed + posting.failed + posting.cancelled;
const isFinal = ({ status }: { status: string }) => ["completed", "failed", "cancelled"].includes(status);

/** The jobs of a posting with arguments and states, up to the size of a grid. */
export function usePostedJobs(posting: Posting, most: number, enabled: boolean) {
  const id = posting.postingId;
  const query = useQuery({
    // The key changes when the posting ends, which fetches the final states.
    queryKey: queryKeys.postings(id, "jobs", most, isOpen(posting)),
    placeholderData: keepPreviousData,
    enabled,
    queryFn: async ({ signal }) => {
      const items: PostedJob[] = [];
      for (let position: number | null = 0; position !== null && items.length < most; ) {
        const page: Schemas["PostedJobs"] = (
          await api.GET("/api/postings/{id}/jobs", {
            params: { path: { id }, query: { position, limit: PAGE_JOBS } },
            signal,
          })
        ).data!;
        items.push(...page.items);
        position = page.next ?? null;
      }
      return items;
    },
  });
  const pages = Math.ceil(Math.min(posting.total, most) / PAGE_JOBS);
  useRefetchOnChange(
    `${ended(posting)} ${posting.active} ${posting.status}`,
    1_000 * Math.max(1, pages),
    () => {
      if (enabled && isOpen(posting)) void query.refetch();
    },
  );
  return query;
}

export function useResults(posting: Posting, enabled: boolean) {
  const id = posting.postingId;
  const query = useInfiniteQuery({
    queryKey: queryKeys.postings(id, "results", isOpen(posting)),
    placeholderData: keepPreviousData,
    enabled,
    initialPageParam: 0,
    getNextPageParam: (page: Schemas["JobResults"]) => page.next ?? undefined,
    queryFn: async ({ pageParam, signal }) =>
      (
        await api.GET("/api/postings/{id}/results", {
          params: { path: { id }, query: { position: pageParam, limit: 200 } },
          signal,
        })
      ).data!,
  });
  useRefetchOnChange(ended(posting), 3_000, () => {
    const rows = query.data?.pages.flatMap((page) => page.items) ?? [];
    const isComplete = rows.every(isFinal) && (query.hasNextPage || rows.length >= posting.total);
    if (enabled && isOpen(posting) && !isComplete) void query.refetch();
  });
  return query;
}

export function useFailures(posting: Posting, enabled: boolean) {
  const id = posting.postingId;
  const query = useQuery({
    queryKey: queryKeys.postings(id, "failures", isOpen(posting)),
    placeholderData: keepPreviousData,
    enabled,
    queryFn: async ({ signal }) =>
      (
        await api.GET("/api/postings/{id}/failures", {
          params: { path: { id }, query: { limit: 200 } },
          signal,
        })
      ).data!,
  });
  useRefetchOnChange(posting.failed, 3_000, () => {
    if (enabled && isOpen(posting)) void query.refetch();
  });
  return query;
}

export function usePostingCommand(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act: "pause" | "resume" | "cancel") =>
      api.POST("/api/postings/{id}/{act}", { params: { path: { id, act } } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.postings() }),
  });
}

export function useRetryFailed(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (await api.POST("/api/postings/{id}/failures/retry", { params: { path: { id } } })).data!,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.postings() }),
  });
}
