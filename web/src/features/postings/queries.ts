import { useThrottledValue } from "@mantine/hooks";
import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api, isNotFound, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { readable } from "@/lib/readablePythonValues";
import { isOpen, type Posting, type PostingFilter, type PostingList } from "@/live/jobs/postingPatches";

export { isOpen, type Posting } from "@/live/jobs/postingPatches";

export type PostedJob = Schemas["PostedJob"];
export type ErrorGroup = Schemas["ErrorGroup"];

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
        items.push(...page.items.map((job) => ({ ...job, data: readable(job.data) as typeof job.data })));
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

export type ResultRow = Schemas["JobResult"] & { data: unknown };

export interface ResultPage {
  items: ResultRow[];
  next?: number | null;
}

/** Fetches the outcomes of jobs from a position on, with their arguments, which never change and are kept. */
async function fetchRows(client: QueryClient, id: string, position: number, signal: AbortSignal) {
  const page = (
    await api.GET("/api/postings/{id}/results", {
      params: { path: { id }, query: { position, limit: PAGE_JOBS } },
      signal,
    })
  ).data!;
  const last = page.items.at(-1)?.position ?? position;
  const data = await client.ensureQueryData({
    queryKey: queryKeys.postings(id, "arguments", position, last),
    queryFn: () => fetchArguments(id, position, last),
  });
  return {
    next: page.next,
    items: page.items.map((row) => ({ ...row, result: readable(row.result), data: data.get(row.position) })),
  };
}

async function fetchArguments(id: string, position: number, last: number) {
  const found = new Map<number, unknown>();
  for (let next: number | null | undefined = position; typeof next === "number" && next <= last; ) {
    const page: Schemas["PostedJobs"] = (
      await api.GET("/api/postings/{id}/jobs", {
        params: { path: { id }, query: { position: next, limit: PAGE_JOBS } },
      })
    ).data!;
    for (const job of page.items) found.set(job.position, readable(job.data));
    next = page.next;
  }
  return found;
}

/** The outcomes and arguments of the jobs, in pages; all pages of a posting of up to `whole` jobs. */
export function useResults(posting: Posting, whole: number, enabled: boolean) {
  const id = posting.postingId;
  const client = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: queryKeys.postings(id, "results", isOpen(posting)),
    placeholderData: keepPreviousData,
    enabled,
    initialPageParam: 0,
    getNextPageParam: (page: ResultPage) => page.next ?? undefined,
    queryFn: ({ pageParam, signal }) => fetchRows(client, id, pageParam, signal),
  });
  const { hasNextPage, isFetching, isPlaceholderData, isFetchNextPageError, fetchNextPage } = query;
  const goOn =
    enabled &&
    posting.total <= whole &&
    hasNextPage &&
    !isFetching &&
    !isPlaceholderData &&
    !isFetchNextPageError;
  useEffect(() => {
    if (goOn) void fetchNextPage();
  }, [goOn, fetchNextPage]);
  const pages = query.data?.pages.length ?? 1;
  useRefetchOnChange(ended(posting), 3_000 * pages, () => {
    const rows = query.data?.pages.flatMap((page) => page.items) ?? [];
    const isComplete = rows.every(isFinal) && (query.hasNextPage || rows.length >= posting.total);
    if (enabled && isOpen(posting) && !isComplete) void query.refetch();
  });
  return query;
}

/** All jobs of a posting, page by page; calls `onRows` with the number of rows so far. */
export async function fetchAllRows(
  client: QueryClient,
  posting: Posting,
  onRows: (rows: number) => void,
): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  const { signal } = new AbortController();
  for (let next: number | null | undefined = 0; typeof next === "number"; ) {
    const page: ResultPage = await fetchRows(client, posting.postingId, next, signal);
    rows.push(...page.items);
    next = page.next;
    onRows(rows.length);
  }
  return rows;
}

/** Which failed jobs are meant: those with the same type of error, raised at the same place. */
export interface ErrorOf {
  errorType: string;
  errorPlace: string;
}

export function useErrorGroups(posting: Posting, enabled: boolean) {
  const id = posting.postingId;
  const query = useQuery({
    queryKey: queryKeys.postings(id, "errors", isOpen(posting)),
    placeholderData: keepPreviousData,
    enabled,
    queryFn: async ({ signal }) =>
      (await api.GET("/api/postings/{id}/job-errors", { params: { path: { id } }, signal })).data!.items,
  });
  useRefetchOnChange(posting.failed, 3_000, () => {
    if (enabled && isOpen(posting)) void query.refetch();
  });
  return query;
}

/** The first failed jobs with an error; `jobs` is how many there are, so that more are fetched when there are more. */
export function useFailures(id: string, error: ErrorOf, jobs: number, enabled: boolean) {
  return useQuery({
    queryKey: queryKeys.postings(id, "failures", error, jobs),
    placeholderData: keepPreviousData,
    enabled,
    queryFn: async ({ signal }) =>
      (
        await api.GET("/api/postings/{id}/failures", {
          params: { path: { id }, query: { limit: 100, ...error } },
          signal,
        })
      ).data!,
  });
}

/** How many jobs ended in each step of time until the page was opened or the posting ended. */
export function usePostingHistory(posting: Posting) {
  const id = posting.postingId;
  return useQuery({
    queryKey: queryKeys.postings(id, "history", isOpen(posting)),
    placeholderData: keepPreviousData,
    refetchOnMount: isOpen(posting) ? "always" : true,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }) =>
      (await api.GET("/api/postings/{id}/job-history", { params: { path: { id } }, signal })).data!,
  });
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
    mutationFn: async (error?: ErrorOf) =>
      (await api.POST("/api/postings/{id}/failures/retry", { params: { path: { id }, query: error ?? {} } }))
        .data!,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.postings() }),
  });
}
