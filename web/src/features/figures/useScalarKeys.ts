// The keys with one number for each frame. Frames differ: the first may be a structure without results, to which a relaxation
// appended frames with an energy.
import { useDebouncedValue } from "@mantine/hooks";
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { sampledFrames, scalarKeys } from "./frameScalars";

/** A trajectory that grows is looked at again after this pause. */
const SETTLE_MS = 1_000;

/** Undefined until at least one of the sampled frames is known. */
export function useScalarKeys(room: string, length: number): readonly string[] | undefined {
  const [settled] = useDebouncedValue(length, SETTLE_MS);
  const indices = useMemo(() => sampledFrames(Math.min(settled || length, length)), [settled, length]);
  const found = useQueries({
    queries: indices.map((index) => ({
      queryKey: queryKeys.frameMetadata(room, index),
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (
          await api.GET("/api/rooms/{room}/frames/metadata", {
            params: { path: { room }, query: { index } },
            signal,
          })
        ).data!,
    })),
    combine: (queries) =>
      queries.some(({ isPending }) => isPending) && !queries.some(({ data }) => data)
        ? null
        : [...new Set(queries.flatMap(({ data }) => (data ? scalarKeys(data.keys) : [])))].sort().join("\n"),
  });
  return useMemo(() => (found === null ? undefined : found.split("\n").filter(Boolean)), [found]);
}
