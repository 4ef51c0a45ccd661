// The query cache. Live events keep it fresh, so nothing is polled and little is fetched twice.
import { MutationCache, QueryClient } from "@tanstack/react-query";
import { mayPass } from "@/lib/api";
import { tellProblem } from "@/lib/toasts";

export const client = new QueryClient({
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (!mutation.meta?.quiet) tellProblem(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && mayPass(error),
    },
  },
});
