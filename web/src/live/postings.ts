// Postings as lists and pages hold them, and what an event about one changes in the cache.
import type { QueryClient } from "@tanstack/react-query";
import { keys } from "@/lib/keys";
import { patch } from "@/live/cache";

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
  told: Posting,
  filter: PostingFilter,
): PostingList[] | undefined {
  const fits = !filter.status || filter.status.includes(told.status);
  const known = pages.some((page) => page.items.some((one) => one.postingId === told.postingId));
  // An old one that moves may stand further down than what has been fetched.
  const isNew = told.postingId > (pages[0]?.items[0]?.postingId ?? "");
  if (known !== fits && (known || isNew)) return undefined;
  if (!known) return pages;
  return pages.map((page) => ({
    ...page,
    items: page.items.map((one) => (one.postingId === told.postingId ? { ...one, ...told } : one)),
  }));
}

/** Writes what was told into the cache; `renew` is called with what has to be fetched again. */
export function applyPosting(
  client: QueryClient,
  told: Posting,
  renew: (queryKey: readonly unknown[]) => void,
) {
  // A posting that has ended stays so: a word from before may come late.
  patch<Posting>(client, { queryKey: keys.postings(told.postingId), exact: true }, (known) =>
    isOpen(known) || !isOpen(told) ? { ...known, ...told } : known,
  );
  patch<{ pages: PostingList[] }>(client, { queryKey: keys.postings("list") }, (known, key) => {
    const pages = patchPostings(known.pages, told, (key[2] ?? {}) as PostingFilter);
    if (pages === undefined) renew(key);
    return pages === undefined || pages === known.pages ? known : { ...known, pages };
  });
}
