import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";

export type Change = Schemas["Change"];

const PAGE_SIZE = 50;

export function useChanges(room: string) {
  const client = useQueryClient();
  const page = useInfiniteQuery({
    queryKey: queryKeys.changes(room),
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam }) =>
      (
        await api.GET("/api/rooms/{room}/changes", {
          params: { path: { room }, query: { limit: PAGE_SIZE, before: pageParam } },
        })
      ).data!,
    getNextPageParam: ({ items }) => (items.length === PAGE_SIZE ? items.at(-1)?.id : undefined),
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });
  const refetch = () => client.invalidateQueries({ queryKey: queryKeys.changes(room) });
  // The panel shows an error beside the change, so no notification is needed.
  const undo = useMutation({
    mutationFn: async (target: { change: string } | { job: string }) => {
      if ("change" in target)
        await api.POST("/api/rooms/{room}/changes/{id}/undo", {
          params: { path: { room, id: target.change } },
        });
      else
        await api.POST("/api/rooms/{room}/changes/undo", {
          params: { path: { room } },
          body: { jobId: target.job },
        });
    },
    onSettled: refetch,
    meta: { quiet: true },
  });
  return { page, undo };
}

/**
 * Groups consecutive changes of one job. Of consecutive selections by one user only the last is listed, because clicking
 * atoms would fill the list.
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
