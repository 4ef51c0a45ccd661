// The current frame with all its values. The trajectory fetches only what is drawn.
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { structureOf } from "@/lib/atoms/structure";
import { atomColumns, elementsOf } from "@/lib/expression/atomColumns";
import { type Frame, framesIn } from "@/lib/frames";
import { usePlayback } from "@/lib/room/playback";
import { useSelection } from "@/lib/room/selectionStore";
import { useConnection } from "@/live/socket";

const SETTLE_MS = 120;

function wholeFrameQuery(room: string, step: number) {
  return {
    queryKey: queryKeys.frames(room, "metadata", "whole", step),
    gcTime: 10_000,
    queryFn: async ({ signal }: { signal?: AbortSignal }): Promise<Frame | null> => {
      const { data } = await api.GET("/api/rooms/{room}/frames", {
        params: { path: { room }, query: { start: step, stop: step + 1 } },
        parseAs: "arrayBuffer",
        signal,
      });
      // A slice, because it may be empty: the frame may have been removed meanwhile.
      return (data && framesIn(data)[0]) ?? null;
    },
  };
}

/** The step at which the trajectory rests. It stays the same while the trajectory plays or the user drags the slider. */
export function useRestingStep(): number {
  const step = usePlayback((now) => (now.playing ? null : now.step));
  const [resting, setResting] = useState(() => usePlayback.getState().step);
  useEffect(() => {
    if (step === null) return;
    const timer = setTimeout(() => setResting(step), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [step]);
  return resting;
}

export function useWholeFrame(room: string, step: number, enabled = true) {
  const exists = usePlayback((now) => now.room === room && now.length > step);
  return useQuery({
    ...wholeFrameQuery(room, step),
    enabled: enabled && exists,
    placeholderData: (before) => before,
  });
}

/** The names and values of the current frame for expressions; null before the frame has arrived. */
export function useAtomColumns(room: string) {
  const { data } = useWholeFrame(room, useRestingStep());
  const selected = useSelection((now) => now.atoms);
  return useMemo(() => {
    if (!data) return null;
    const structure = structureOf(data);
    return {
      ...atomColumns({ structure, selected }),
      count: structure.count,
      elements: elementsOf(structure),
    };
  }, [data, selected]);
}

/** The columns of the frame that is shown at this moment: an expression chooses among its atoms. */
export function useCurrentAtomColumns(room: string) {
  const client = useQueryClient();
  return () => currentAtomColumns(client, room);
}

async function currentAtomColumns(client: QueryClient, room: string) {
  const { step } = usePlayback.getState();
  // Events of the room say when a frame has changed. A page that does not hear them asks again.
  const staleTime = useConnection.getState().standing === "live" ? Number.POSITIVE_INFINITY : 1_000;
  const frame = await client.fetchQuery({ ...wholeFrameQuery(room, step), staleTime });
  if (!frame) return null;
  const structure = structureOf(frame);
  return {
    columns: atomColumns({ structure, selected: useSelection.getState().atoms }),
    count: structure.count,
  };
}
