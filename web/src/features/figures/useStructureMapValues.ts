// The values of the structure map. Frames that are appended are fetched alone.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { queryKeys } from "@/lib/api/queryKeys";
import { usePlayback } from "@/lib/room/playback";
import { fetchNewValues, fetchValues } from "./structureMapValues";

const RETRY_MS = 2_000;

export function useStructureMapValues(
  room: string,
  axes: readonly string[],
  length: number,
  enabled: boolean,
) {
  const client = useQueryClient();
  const queryKey = useMemo(() => queryKeys.frames(room, "metadata", "map", axes), [room, axes]);
  const values = useQuery({
    queryKey,
    enabled: length > 0 && enabled,
    queryFn: ({ signal }) => fetchValues(room, axes, usePlayback.getState().length, signal),
    placeholderData: (before) => before,
    gcTime: 60_000,
  });
  // After another change than an append the whole query is invalidated: see `eventHandlers`.
  const known = values.isPlaceholderData || values.isFetching ? undefined : values.data;
  // Not the length itself: while frames come faster than they are fetched, each fetch ends before the next one begins.
  const isBehind = known !== undefined && known.length < length;
  const [failures, setFailures] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a failed fetch is repeated
  useEffect(() => {
    if (!known || !isBehind) return;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    fetchNewValues(room, axes, known, usePlayback.getState().length, leaving.signal).then(
      (more) => client.setQueryData(queryKey, (now) => (now === known ? more : now)),
      () => {
        if (!leaving.signal.aborted) timer = setTimeout(() => setFailures((count) => count + 1), RETRY_MS);
      },
    );
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [client, queryKey, room, axes, known, isBehind, failures]);
  return values;
}
