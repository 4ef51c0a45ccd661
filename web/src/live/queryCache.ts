// What an event changes in the query cache. An answer that is under way may have been given before the event it is
// overtaken by, so it never has the last word: it is patched when it comes, or asked for once more.
import type { Query, QueryClient, QueryFilters } from "@tanstack/react-query";

const refetchPending = new WeakSet<Query>();

/**
 * Fetch again what is shown, and let the rest be fetched when it is. What is being fetched right now is let come, and then
 * fetched once more: beginning anew with every event would go on for ever in a room where much happens.
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

/** Change what is known, and also what is about to be known. The same value back means that there is nothing to change. */
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
      // What else was missed of it is still to be fetched.
      if (isInvalidated) query.invalidate();
    };
    act();
    if (isFetching(query)) query.promise!.then(act, () => undefined);
  }
}

function isFetching(query: Query): boolean {
  return query.state.fetchStatus === "fetching" && query.promise !== undefined;
}
