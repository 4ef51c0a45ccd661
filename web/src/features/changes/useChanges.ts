import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { callJson, roomPath } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";

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

const PAGE_SIZE = 50;

export function useChanges(room: string) {
  const client = useQueryClient();
  const page = useInfiniteQuery({
    queryKey: queryKeys.changes(room),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      callJson<{ items: Change[] }>("GET", roomPath(room, "changes"), {
        query: { limit: PAGE_SIZE, before: pageParam },
      }),
    getNextPageParam: ({ items }) => (items.length === PAGE_SIZE ? items.at(-1)?.id : undefined),
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });
  const renew = () => client.invalidateQueries({ queryKey: queryKeys.changes(room) });
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

/**
 * Changes of one job that follow each other are one entry. Of selections somebody made one after the other only the last is
 * listed: clicking atoms is not what one looks for here.
 */
export function groupByJob(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    const newer = last?.at(-1);
    if (last && newer && sameJob(newer, change)) last.push(change);
    else if (!newer || !isRepeatedSelection(newer, change)) groups.push([change]);
  }
  return groups;
}

function sameJob(newer: Change, change: Change): boolean {
  return change.jobId !== null && newer.jobId === change.jobId && !change.undoOf && !newer.undoOf;
}

function isRepeatedSelection(newer: Change, change: Change): boolean {
  const both = [newer, change].every(
    ({ act, jobId, undoOf }) => act.startsWith("selection") && !jobId && !undoOf,
  );
  return both && newer.author.id === change.author.id;
}
