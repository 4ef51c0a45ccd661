import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { callJson } from "@/lib/api";
import { keys } from "@/lib/keys";
import type { JobBrief } from "@/live/jobs";

export interface Posting {
  postingId: string;
  scope: string;
  category: string;
  name: string;
  room: string | null;
  label: string;
  status: "executing" | "paused" | "completed" | "failed" | "cancelled";
  priority: number;
  tries: number;
  total: number;
  completed: number;
  failed: number;
  cancelled: number;
  remaining: number;
  rate: number | null;
  etaSeconds: number | null;
  user: string | null;
  createdAt: string;
  finishedAt: string | null;
  active?: number;
}

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

interface PostingPage {
  items: Posting[];
  next: string | null;
}

export const isOpen = (posting: Posting) => posting.status === "executing" || posting.status === "paused";

export function usePostings(filter: { status?: string[]; mine?: boolean }) {
  return useInfiniteQuery({
    queryKey: keys.postings("list", filter),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: PostingPage) => page.next ?? undefined,
    // How far a posting is has no event: it may end thousands of jobs a second.
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some((one) => one.status === "executing")) ? 1_500 : 10_000,
    queryFn: ({ pageParam, signal }) =>
      callJson<PostingPage>("GET", "/api/postings", {
        query: { before: pageParam, limit: 50, status: filter.status, mine: filter.mine || undefined },
        signal,
      }),
  });
}

export function usePosting(id: string) {
  return useQuery<Posting>({
    queryKey: keys.postings(id),
    refetchInterval: ({ state }) => (state.data && !isOpen(state.data) ? false : 1_000),
    queryFn: ({ signal }) => callJson<Posting>("GET", `/api/postings/${id}`, { signal }),
  });
}

/** A posting's jobs with their arguments and states, all of them up to what a grid can show. */
export function usePostedJobs(id: string, most: number, live: boolean, enabled: boolean) {
  return useQuery({
    // Once it has ended, what was seen last is looked at once more.
    queryKey: keys.postings(id, "jobs", most, live),
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: live ? 1_000 : false,
    queryFn: async ({ signal }) => {
      const items: PostedJob[] = [];
      for (let position: number | null = 0; position !== null && items.length < most; ) {
        const page: { items: PostedJob[]; next: number | null } = await callJson(
          "GET",
          `/api/postings/${id}/jobs`,
          {
            query: { position, limit: 500 },
            signal,
          },
        );
        items.push(...page.items);
        position = page.next;
      }
      return items;
    },
  });
}

export function useResults(id: string, live: boolean, enabled: boolean) {
  return useInfiniteQuery({
    // Once it has ended, what was seen last is looked at once more.
    queryKey: keys.postings(id, "results", live),
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: live ? 3_000 : false,
    initialPageParam: 0,
    getNextPageParam: (page: { next: number | null }) => page.next ?? undefined,
    queryFn: ({ pageParam, signal }) =>
      callJson<{ items: JobResult[]; next: number | null }>("GET", `/api/postings/${id}/results`, {
        query: { position: pageParam, limit: 200 },
        signal,
      }),
  });
}

export function useFailures(id: string, live: boolean, enabled: boolean) {
  return useQuery({
    // Once it has ended, what was seen last is looked at once more.
    queryKey: keys.postings(id, "failures", live),
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: live ? 3_000 : false,
    queryFn: ({ signal }) =>
      callJson<{ items: JobFailure[]; next: number | null }>("GET", `/api/postings/${id}/failures`, {
        query: { limit: 200 },
        signal,
      }),
  });
}

export function usePostingAct(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act: "pause" | "resume" | "cancel") => callJson("POST", `/api/postings/${id}/${act}`),
    onSettled: () => client.invalidateQueries({ queryKey: keys.postings() }),
  });
}

export function useRetryFailed(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callJson<{ posting: Posting | null }>("POST", `/api/postings/${id}/failures/retry`),
    onSettled: () => client.invalidateQueries({ queryKey: keys.postings() }),
  });
}
