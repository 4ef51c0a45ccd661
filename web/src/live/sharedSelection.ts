// Synchronises the selected atoms with the room's selection `particles`; local changes are sent after a short delay.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { notifyError } from "@/lib/notifications";
import { setFromRoom, useSelection } from "@/lib/room/selectionStore";

type Selections = Schemas["RoomSelections"];

const WRITE_DELAY_MS = 250;
export const PARTICLES = "particles";

export function useSelections(room: string) {
  return useQuery({
    queryKey: queryKeys.selections(room),
    queryFn: async () =>
      (await api.GET("/api/rooms/{room}/selections", { params: { path: { room } } })).data!,
  });
}

/** Mounted once, by the timeline. */
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
        await api.PUT("/api/rooms/{room}/selections/{key}", {
          params: { path: { room, key: PARTICLES } },
          body: { indices: [...atoms] },
        });
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
