import { useThrottledValue } from "@mantine/hooks";
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { callJson } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import type { JobBrief } from "@/live/jobPatches";
import { isOpen, type Posting, type PostingFilter, type PostingList } from "@/live/postingPatches";

export { isOpen, type Posting } from "@/live/postingPatches";

export interface PostedJob extends JobBrief {
  position: number;
  data: unknown;
}

export interface JobResult {
  position: number;
  jobId: string;
  status: string;
  result: unknown;
  error: { type: string; message: string } | null;
}

export interface JobFailure {
  position: number;
  jobId: string;
  attempts: number;
  data: unknown;
  error: { type: string; message: string; traceback: string };
}

/** Events tell how far a posting is; one that got lost costs at most this. */
const REFETCH_MS = 15_000;
/** Postings in rooms that this page has not joined are told to nobody here. */
const MIN_REFETCH_MS = 60_000;
/** The most jobs that the server tells at once. */
const PAGE_JOBS = 500;

export function usePostings(filter: PostingFilter) {
  return useInfiniteQuery({
    queryKey: queryKeys.postings("list", filter),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: PostingList) => page.next ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some(isOpen)) ? REFETCH_MS : MIN_REFETCH_MS,
    queryFn: ({ pageParam, signal }) =>
      callJson<PostingList>("GET", "/api/postings", {
        query: { before: pageParam, limit: 50, status: filter.status, mine: filter.mine || undefined },
        signal,
      }),
  });
}

export function usePosting(id: string) {
  return useQuery<Posting>({
    queryKey: queryKeys.postings(id),
    refetchInterval: ({ state }) => (state.data && !isOpen(state.data) ? false : REFETCH_MS),
    queryFn: ({ signal }) => callJson<Posting>("GET", `/api/postings/${id}`, { signal }),
  });
}

/** Calls `act` when `mark` has changed: at once if it has not for a while, otherwise after the pause. */
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

/** A posting's jobs with their arguments and states, all of them up to what a grid can show. */
export function usePostedJobs(posting: Posting, most: number, enabled: boolean) {
  const id = posting.postingId;
  const query = useQuery({
    // Once it has ended, what was seen last is looked at once more.
    queryKey: queryKeys.postings(id, "jobs", most, isOpen(posting)),
    placeholderData: keepPreviousData,
    enabled,
    queryFn: async ({ signal }) => {
      const items: PostedJob[] = [];
      for (let position: number | null = 0; position !== null && items.length < most; ) {
        const page: { items: PostedJob[]; next: number | null } = await callJson(
          "GET",
          `/api/postings/${id}/jobs`,
          {
            query: { position, limit: PAGE_JOBS },
            signal,
          },
        );
        items.push(...page.items);
        position = page.next;
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
    getNextPageParam: (page: { next: number | null }) => page.next ?? undefined,
    queryFn: ({ pageParam, signal }) =>
      callJson<{ items: JobResult[]; next: number | null }>("GET", `/api/postings/${id}/results`, {
        query: { position: pageParam, limit: 200 },
        signal,
      }),
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
    queryFn: ({ signal }) =>
      callJson<{ items: JobFailure[]; next: number | null }>("GET", `/api/postings/${id}/failures`, {
        query: { limit: 200 },
        signal,
      }),
  });
  useRefetchOnChange(posting.failed, 3_000, () => {
    if (enabled && isOpen(posting)) void query.refetch();
  });
  return query;
}

export function usePostingCommand(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act: "pause" | "resume" | "cancel") => callJson("POST", `/api/postings/${id}/${act}`),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.postings() }),
  });
}

export function useRetryFailed(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callJson<{ posting: Posting | null }>("POST", `/api/postings/${id}/failures/retry`),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.postings() }),
  });
}
