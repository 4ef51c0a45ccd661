// Postings as lists and pages hold them, and what an event about one changes in the cache.
import type { QueryClient } from "@tanstack/react-query";
import { queryKeys } from "@/lib/api/queryKeys";
import { patch } from "@/live/queryCache";

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

export interface PostingFilter {
  status?: string[];
  mine?: boolean;
}

export interface PostingList {
  items: Posting[];
  next: string | null;
}

export const isOpen = (posting: Posting) => posting.status === "executing" || posting.status === "paused";

/** The list with what was told in its place; nothing when it has to be fetched again, because one comes or goes. */
export function patchPostings(
  pages: PostingList[],
  event: Posting,
  filter: PostingFilter,
): PostingList[] | undefined {
  const fits = !filter.status || filter.status.includes(event.status);
  const known = pages.some((page) => page.items.some((one) => one.postingId === event.postingId));
  // An old one that moves may stand further down than what has been fetched.
  const isNew = event.postingId > (pages[0]?.items[0]?.postingId ?? "");
  if (known !== fits && (known || isNew)) return undefined;
  if (!known) return pages;
  return pages.map((page) => ({
    ...page,
    items: page.items.map((one) => (one.postingId === event.postingId ? { ...one, ...event } : one)),
  }));
}

/** Writes what was told into the cache; `renew` is called with what has to be fetched again. */
export function applyPosting(
  client: QueryClient,
  event: Posting,
  refetch: (queryKey: readonly unknown[]) => void,
) {
  // A posting that has ended stays so: a word from before may come late.
  patch<Posting>(client, { queryKey: queryKeys.postings(event.postingId), exact: true }, (known) =>
    isOpen(known) || !isOpen(event) ? { ...known, ...event } : known,
  );
  patch<{ pages: PostingList[] }>(client, { queryKey: queryKeys.postings("list") }, (known, key) => {
    const pages = patchPostings(known.pages, event, (key[2] ?? {}) as PostingFilter);
    if (pages === undefined) refetch(key);
    return pages === undefined || pages === known.pages ? known : { ...known, pages };
  });
}
