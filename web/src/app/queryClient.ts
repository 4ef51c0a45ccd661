// The query cache. Live events keep it fresh, so nothing is polled and little is fetched twice.
import { MutationCache, QueryClient } from "@tanstack/react-query";
import { isTransient } from "@/lib/api/client";
import { notifyError } from "@/lib/notifications";

export const queryClient = new QueryClient({
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (!mutation.meta?.quiet) notifyError(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && isTransient(error),
    },
  },
});
