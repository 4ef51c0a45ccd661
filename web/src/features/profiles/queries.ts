import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, callJson, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";

export type FunctionCost = Schemas["FunctionCost"];
export type PairCost = Schemas["PairCost"];
export type CodePlace = Schemas["Place"];

export function useProfiledFunctions() {
  return useQuery({
    queryKey: queryKeys.profiles("functions"),
    queryFn: async () => (await api.GET("/api/profiles")).data!.items,
  });
}

export interface ProfileSelector {
  posting?: string;
  version?: string;
  machine?: string;
}

export function useTop(name: string, which: ProfileSelector) {
  return useQuery({
    queryKey: queryKeys.profiles(name, "top", which),
    placeholderData: keepPreviousData,
    queryFn: async () =>
      (
        await api.GET("/api/profiles/{function}/top", {
          params: { path: { function: name }, query: { ...which, limit: 500 } },
        })
      ).data!,
  });
}

export function useCallers(name: string, which: ProfileSelector, of: string | undefined) {
  return useQuery({
    queryKey: queryKeys.profiles(name, "callers", which, of),
    enabled: of !== undefined,
    queryFn: async () =>
      (
        await api.GET("/api/profiles/{function}/callers", {
          params: { path: { function: name }, query: { ...which, of, limit: 200 } },
        })
      ).data!,
  });
}

export function useDiff(name: string, a: string | undefined, b: string | undefined) {
  return useQuery({
    queryKey: queryKeys.profiles(name, "diff", a, b),
    enabled: Boolean(a && b),
    queryFn: async () =>
      (
        await api.GET("/api/profiles/{function}/diff", {
          params: { path: { function: name }, query: { a: a!, b: b!, limit: 200 } },
        })
      ).data!,
  });
}

export interface Speedscope {
  name?: string;
  shared: { frames: { name: string; file?: string; line?: number }[] };
  profiles: { type: string; name?: string; samples: number[][]; weights: number[]; unit?: string }[];
}

export function useStacks(name: string, which: ProfileSelector) {
  return useQuery({
    queryKey: queryKeys.profiles(name, "stacks", which),
    queryFn: () =>
      callJson<Speedscope>("GET", `/api/profiles/${encodeURIComponent(name)}/export`, {
        query: { format: "speedscope", ...which },
      }),
  });
}
