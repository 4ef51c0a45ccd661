// The atoms chosen here are the room's selection `particles`: told a moment after the last click, and heard from others.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { callJson, roomPath } from "@/lib/api";
import { keys } from "@/lib/keys";
import { adopt, useSelected } from "@/lib/selected";
import { tellProblem } from "@/lib/toasts";

export interface Selections {
  selections: Record<string, number[]>;
  groups: Record<string, Record<string, number[]>>;
}

const PAUSE = 250;
export const PARTICLES = "particles";

export function useSelections(room: string) {
  return useQuery({
    queryKey: keys.selections(room),
    queryFn: () => callJson<Selections>("GET", roomPath(room, "selections")),
  });
}

/** Mounted once, where the timeline is. */
export function useSharedSelection(room: string): void {
  const client = useQueryClient();
  const { data } = useSelections(room);
  const writing = useRef(0);

  useEffect(() => {
    if (writing.current === 0 && data) adopt(room, data.selections[PARTICLES] ?? []);
  }, [room, data]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = useSelected.getState().choice;
    const write = async () => {
      timer = undefined;
      const { atoms } = useSelected.getState();
      try {
        await callJson("PUT", roomPath(room, "selections", PARTICLES), { body: { indices: atoms } });
        client.setQueryData<Selections>(keys.selections(room), (known) =>
          known ? { ...known, selections: { ...known.selections, [PARTICLES]: [...atoms] } } : known,
        );
      } catch (error) {
        tellProblem(error, "The selection was not shared");
      } finally {
        if (timer === undefined) writing.current = 0;
      }
    };
    const stop = useSelected.subscribe((now) => {
      if (now.choice === last) return;
      last = now.choice;
      writing.current = 1;
      clearTimeout(timer);
      timer = setTimeout(write, PAUSE);
    });
    return () => {
      stop();
      if (timer !== undefined) {
        clearTimeout(timer);
        void write();
      }
      adopt(room, []);
    };
  }, [room, client]);
}
