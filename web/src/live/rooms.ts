// Being in a room: joined while some component shows it, joined again after a reconnect.
import { useEffect, useRef } from "react";
import { create } from "zustand";
import { connection, say } from "@/live/socket";

const visits = new Map<string, number>();

/** Rooms this page is in now, as the server has confirmed. */
export const useJoined = create<{ rooms: Record<string, "joined" | "refused"> }>(() => ({ rooms: {} }));

/** Called when a room has been joined: what was fetched before may have changed unheard. */
let afterJoining: (room: string) => void = () => undefined;

export function onJoined(act: (room: string) => void) {
  afterJoining = act;
}

function join(room: string) {
  say("room:join", { room }).then(
    () => {
      useJoined.setState(({ rooms }) => ({ rooms: { ...rooms, [room]: "joined" } }));
      afterJoining(room);
    },
    () => useJoined.setState(({ rooms }) => ({ rooms: { ...rooms, [room]: "refused" } })),
  );
}

/** Join every room again: called once for each new connection. */
export function rejoinAll() {
  for (const room of visits.keys()) join(room);
}

export function useRoomVisit(room: string) {
  useEffect(() => {
    const socket = connection();
    visits.set(room, (visits.get(room) ?? 0) + 1);
    if (visits.get(room) === 1 && socket.connected) join(room);
    return () => {
      const left = (visits.get(room) ?? 1) - 1;
      if (left > 0) visits.set(room, left);
      else {
        visits.delete(room);
        useJoined.setState(({ rooms: { [room]: _, ...rooms } }) => ({ rooms }));
        if (socket.connected) say("room:leave", { room }).catch(() => undefined);
      }
    };
  }, [room]);
}

/** Hear one kind of event of one room; the handler may change between renders. */
export function useRoomEvent<T extends object>(room: string, event: string, handler: (body: T) => void) {
  const latest = useRef(handler);
  latest.current = handler;
  useEffect(() => {
    const socket = connection();
    const hear = (body: T & { room?: string | null }) => {
      if (body.room === undefined || body.room === null || body.room === room) latest.current(body);
    };
    socket.on(event, hear);
    return () => {
      socket.off(event, hear);
    };
  }, [room, event]);
}
