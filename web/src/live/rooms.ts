// Being in a room: joined while some component shows it, joined again after a reconnect.
import { useEffect, useRef } from "react";
import { connection, Refused, say } from "@/live/socket";

const visits = new Map<string, number>();
/** The connection by which each room was joined. */
const joinedBy = new Map<string, string | undefined>();
const awaiting = new Set<(room: string) => void>();

/**
 * Be told of every room that has been joined, also again after a reconnect: from here on its events are heard, and what
 * was fetched before may have changed unheard.
 */
export function onJoined(act: (room: string) => void): () => void {
  awaiting.add(act);
  return () => void awaiting.delete(act);
}

/** The connection by which a room's events are heard, if they are. */
export function heardBy(room: string): string | undefined {
  const { id } = connection();
  return joinedBy.get(room) === id ? id : undefined;
}

async function join(room: string) {
  while (visits.has(room) && connection().connected) {
    const { id } = connection();
    try {
      await say("room:join", { room });
    } catch (error) {
      if (error instanceof Refused) return;
      // No answer in time, or the line broke: then the next connection joins again.
      continue;
    }
    if (!visits.has(room)) return;
    joinedBy.set(room, id);
    for (const act of awaiting) act(room);
    return;
  }
}

/** Join every room again: called once for each new connection. */
export function rejoinAll() {
  for (const room of visits.keys()) void join(room);
}

export function useRoomVisit(room: string) {
  useEffect(() => {
    const socket = connection();
    visits.set(room, (visits.get(room) ?? 0) + 1);
    if (visits.get(room) === 1 && socket.connected) void join(room);
    return () => {
      const left = (visits.get(room) ?? 1) - 1;
      if (left > 0) visits.set(room, left);
      else {
        visits.delete(room);
        joinedBy.delete(room);
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
