// The atoms chosen here are the room's selection `particles`: told a moment after the last click, and heard from others.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { callJson, roomPath } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { notifyError } from "@/lib/notifications";
import { setFromRoom, useSelection } from "@/lib/room/selectionStore";

export interface Selections {
  selections: Record<string, number[]>;
  groups: Record<string, Record<string, number[]>>;
}

const WRITE_DELAY_MS = 250;
export const PARTICLES = "particles";

export function useSelections(room: string) {
  return useQuery({
    queryKey: queryKeys.selections(room),
    queryFn: () => callJson<Selections>("GET", roomPath(room, "selections")),
  });
}

/** Mounted once, where the timeline is. */
export function useSharedSelection(room: string): void {
  const client = useQueryClient();
  const { data } = useSelections(room);
  const writing = useRef(0);

  useEffect(() => {
    if (writing.current === 0 && data) setFromRoom(room, data.selections[PARTICLES] ?? []);
  }, [room, data]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = useSelection.getState().localRevision;
    const write = async () => {
      timer = undefined;
      const { atoms } = useSelection.getState();
      try {
        await callJson("PUT", roomPath(room, "selections", PARTICLES), { body: { indices: atoms } });
        client.setQueryData<Selections>(queryKeys.selections(room), (known) =>
          known ? { ...known, selections: { ...known.selections, [PARTICLES]: [...atoms] } } : known,
        );
      } catch (error) {
        notifyError(error, "The selection was not shared");
      } finally {
        if (timer === undefined) writing.current = 0;
      }
    };
    const stop = useSelection.subscribe((now) => {
      if (now.localRevision === last) return;
      last = now.localRevision;
      writing.current = 1;
      clearTimeout(timer);
      timer = setTimeout(write, WRITE_DELAY_MS);
    });
    return () => {
      stop();
      if (timer !== undefined) {
        clearTimeout(timer);
        void write();
      }
      setFromRoom(room, []);
    };
  }, [room, client]);
}
