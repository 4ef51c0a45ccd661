// What an event changes in the query cache. An answer that is under way may have been given before the event it is
// overtaken by, so it never has the last word: it is patched when it comes, or asked for once more.
import type { Query, QueryClient, QueryFilters } from "@tanstack/react-query";

const again = new WeakSet<Query>();

/**
 * Fetch again what is shown, and let the rest be fetched when it is. What is being fetched right now is let come, and then
 * fetched once more: beginning anew with every event would go on for ever in a room where much happens.
 */
export function renew(client: QueryClient, filters: QueryFilters): void {
  for (const query of client.getQueryCache().findAll(filters)) {
    const fetchAgain = () => {
      again.delete(query);
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    if (!isUnderway(query)) fetchAgain();
    else if (!again.has(query)) {
      again.add(query);
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
    if (isUnderway(query)) query.promise!.then(act, () => undefined);
  }
}

function isUnderway(query: Query): boolean {
  return query.state.fetchStatus === "fetching" && query.promise !== undefined;
}
