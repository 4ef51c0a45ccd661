// Updates the query cache after events. A response in flight may be older than the event, so it is patched when it arrives,
// or fetched again.
import type { Query, QueryClient, QueryFilters } from "@tanstack/react-query";

const refetchPending = new WeakSet<Query>();

/**
 * Invalidate queries. A query that is being fetched is fetched again after it completes: restarting it with every event
 * would never complete in a busy room.
 */
export function refetch(client: QueryClient, filters: QueryFilters): void {
  for (const query of client.getQueryCache().findAll(filters)) {
    const fetchAgain = () => {
      refetchPending.delete(query);
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    if (!isFetching(query)) fetchAgain();
    else if (!refetchPending.has(query)) {
      refetchPending.add(query);
      query.promise!.then(fetchAgain, fetchAgain);
    }
  }
}

/** Patch cached data, and also responses in flight. The change returns the same value if there is nothing to change. */
export function patch<T>(
  client: QueryClient,
  filters: QueryFilters,
  change: (known: T, key: readonly unknown[]) => T,
): void {
  for (const query of client.getQueryCache().findAll(filters)) {
    const act = () => {
      const known = query.state.data as T | undefined;
      if (known === undefined) return;
      const changed = change(known, query.queryKey);
      if (changed === known) return;
      const { isInvalidated } = query.state;
      client.setQueryData(query.queryKey, changed);
      // The query stays invalid, because the patch does not contain everything that changed.
      if (isInvalidated) query.invalidate();
    };
    act();
    if (isFetching(query)) query.promise!.then(act, () => undefined);
  }
}

function isFetching(query: Query): boolean {
  return query.state.fetchStatus === "fetching" && query.promise !== undefined;
}
