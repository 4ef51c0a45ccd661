// The selected atoms of this page and of the room (the selection `particles`). While the page follows the room, they are the
// same; local changes are sent after a short delay. A page that does not follow has a selection of its own.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { useSession } from "@/lib/api/session";
import { notifyError } from "@/lib/notifications";
import { usePlayback } from "@/lib/room/playback";
import { isSameSelection, setFromRoom, useSelection } from "@/lib/room/selectionStore";
import { useRoomInfo } from "@/live/queries";
import { useRoomEvent } from "@/live/room/roomMembership";

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

/** Makes the selection of this page the room's. */
export function useShareSelection(room: string) {
  const client = useQueryClient();
  return useMutation({
    meta: { quiet: true },
    mutationFn: async (atoms: readonly number[]) => {
      await api.PUT("/api/rooms/{room}/selections/{key}", {
        params: { path: { room, key: PARTICLES } },
        body: { indices: [...atoms] },
      });
      const me = useSession.getState().user?.name ?? null;
      client.setQueryData<Selections>(queryKeys.selections(room), (known) =>
        known
          ? {
              ...known,
              selections: { ...known.selections, [PARTICLES]: [...atoms] },
              authors: { ...known.authors, [PARTICLES]: me },
            }
          : known,
      );
    },
    onError: (error) => notifyError(error, "The selection was not shared"),
  });
}

/** Whether this user may change the room. */
export function useMayWrite(room: string): boolean {
  const { data } = useRoomInfo(room);
  return data !== undefined && data.rights !== "read" && (!data.locked || data.rights === "own");
}

/** Mounted once, by the timeline. */
export function useSharedSelection(room: string): void {
  const { data, refetch } = useSelections(room);
  const { mutateAsync: share } = useShareSelection(room);
  const ofAnother = useRef(false);
  const ofRoom = useRef<readonly number[]>([]);
  ofRoom.current = data?.selections[PARTICLES] ?? [];
  const author = data?.authors[PARTICLES];
  const me = useSession((session) => session.user?.name);
  ofAnother.current = Boolean(author && author !== me && data?.selections[PARTICLES]?.length);
  const follow = usePlayback((now) => now.follow);
  const mayWrite = useRef(false);
  mayWrite.current = useMayWrite(room);
  const writing = useRef(0);

  useEffect(() => {
    if (writing.current === 0 && data && follow) setFromRoom(room, data.selections[PARTICLES] ?? []);
  }, [room, data, follow]);

  // What the own jobs and scripts of a user select is shown also on a page that does not follow.
  useRoomEvent<{ by: string; keys: string[] }>(room, "selection:changed", async ({ by, keys }) => {
    if (usePlayback.getState().follow || !keys.includes(PARTICLES)) return;
    if (by !== useSession.getState().user?.id) return;
    const now = await refetch();
    if (now.data) setFromRoom(room, now.data.selections[PARTICLES] ?? []);
  });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = useSelection.getState().localRevision;
    const write = async () => {
      timer = undefined;
      try {
        const { atoms } = useSelection.getState();
        // Clearing (Esc) what another person selected clears it on this page alone; the note offers to clear it for all.
        const isOnlyHere = atoms.length === 0 && ofAnother.current;
        // Taken back from the room meanwhile: sent, it would become this user's.
        const isOfRoom = isSameSelection(atoms, ofRoom.current);
        if (usePlayback.getState().follow && mayWrite.current && !isOnlyHere && !isOfRoom) await share(atoms);
      } catch {
        // The user was told.
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
  }, [room, share]);
}
