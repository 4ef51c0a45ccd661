import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { callJson, roomPath } from "@/lib/api";
import { keys } from "@/lib/keys";

export interface Change {
  id: string;
  revision: number;
  act: string;
  label: string;
  author: { id: string | null; name: string | null };
  jobId: string | null;
  extension: string | null;
  parameters: unknown;
  machine: string | null;
  at: string;
  undoOf: string | null;
  undoneBy: string | null;
  frames: { start: number; removed: number; added: number } | null;
}

const PAGE = 50;

export function useChanges(room: string) {
  const client = useQueryClient();
  const page = useInfiniteQuery({
    queryKey: keys.changes(room),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      callJson<{ items: Change[] }>("GET", roomPath(room, "changes"), {
        query: { limit: PAGE, before: pageParam },
      }),
    getNextPageParam: ({ items }) => (items.length === PAGE ? items.at(-1)?.id : undefined),
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });
  const renew = () => client.invalidateQueries({ queryKey: keys.changes(room) });
  // Refusals are shown beside what was to be undone, not as a word in passing.
  const undo = useMutation({
    mutationFn: (what: { change: string } | { job: string }) =>
      "change" in what
        ? callJson("POST", roomPath(room, "changes", what.change, "undo"))
        : callJson("POST", roomPath(room, "changes", "undo"), { body: { jobId: what.job } }),
    onSettled: renew,
    meta: { quiet: true },
  });
  return { page, undo };
}

/** Changes of one job that follow each other are one entry. */
export function byJob(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    const same =
      last?.[0] &&
      change.jobId !== null &&
      last[0].jobId === change.jobId &&
      !change.undoOf &&
      !last[0].undoOf;
    if (same && last) last.push(change);
    else groups.push([change]);
  }
  return groups;
}
