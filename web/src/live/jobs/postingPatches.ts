// Applies posting events to the query cache.
import type { QueryClient } from "@tanstack/react-query";
import type { Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { patch } from "@/live/queryCache";

/** A posting of a list, or of its own page, which also counts the jobs at workers. */
export type Posting = Schemas["PostingInfo"] & Partial<Pick<Schemas["PostingDetail"], "active">>;

export interface PostingFilter {
  status?: Posting["status"][];
  mine?: boolean;
}

export type PostingList = Schemas["Postings"];

export const isOpen = (posting: Posting) => posting.status === "executing" || posting.status === "paused";

/** The pages with the posting updated; undefined if the list has to be fetched again because a posting was added or removed. */
export function patchPostings(
  pages: PostingList[],
  event: Posting,
  filter: PostingFilter,
): PostingList[] | undefined {
  const fits = !filter.status || filter.status.includes(event.status);
  const known = pages.some((page) => page.items.some((one) => one.postingId === event.postingId));
  // An unknown older posting may belong to a page that has not been fetched.
  const isNew = event.postingId > (pages[0]?.items[0]?.postingId ?? "");
  if (known !== fits && (known || isNew)) return undefined;
  if (!known) return pages;
  return pages.map((page) => ({
    ...page,
    items: page.items.map((one) => (one.postingId === event.postingId ? { ...one, ...event } : one)),
  }));
}

/** Writes the posting into the cache; `refetch` is called for lists that have to be fetched again. */
export function applyPosting(
  client: QueryClient,
  event: Posting,
  refetch: (queryKey: readonly unknown[]) => void,
) {
  // A posting that has ended does not reopen: an older event may arrive late.
  patch<Posting>(client, { queryKey: queryKeys.postings(event.postingId), exact: true }, (known) =>
    isOpen(known) || !isOpen(event) ? { ...known, ...event } : known,
  );
  patch<{ pages: PostingList[] }>(client, { queryKey: queryKeys.postings("list") }, (known, key) => {
    const pages = patchPostings(known.pages, event, (key[2] ?? {}) as PostingFilter);
    if (pages === undefined) refetch(key);
    return pages === undefined || pages === known.pages ? known : { ...known, pages };
  });
}
