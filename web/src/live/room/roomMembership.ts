// Joins rooms while a component shows them, and joins them again after a reconnect.
import { useEffect, useRef } from "react";
import { emitWithAck, getSocket, RequestRefused } from "@/live/socket";

const users = new Map<string, number>();
/** The socket id with which each room was joined. */
const socketOfRoom = new Map<string, string | undefined>();
const joinListeners = new Set<(room: string) => void>();

/**
 * Subscribe to joined rooms, also after a reconnect. The page receives the events of a room from this moment; data fetched
 * before may be out of date.
 */
export function onRoomJoined(act: (room: string) => void): () => void {
  joinListeners.add(act);
  return () => void joinListeners.delete(act);
}

/** The id of the current socket if it has joined the room. */
export function joinedSocketId(room: string): string | undefined {
  const { id } = getSocket();
  return socketOfRoom.get(room) === id ? id : undefined;
}

async function join(room: string) {
  while (users.has(room) && getSocket().connected) {
    const { id } = getSocket();
    try {
      await emitWithAck("room:join", { room });
    } catch (error) {
      if (error instanceof RequestRefused) return;
      // Timeout or connection loss: a new connection joins again.
      continue;
    }
    if (!users.has(room)) return;
    socketOfRoom.set(room, id);
    for (const act of joinListeners) act(room);
    return;
  }
}

/** Join all rooms again; called for each new connection. */
export function rejoinAll() {
  for (const room of users.keys()) void join(room);
}

export function useJoinRoom(room: string) {
  useEffect(() => {
    const socket = getSocket();
    users.set(room, (users.get(room) ?? 0) + 1);
    if (users.get(room) === 1 && socket.connected) void join(room);
    return () => {
      const left = (users.get(room) ?? 1) - 1;
      if (left > 0) users.set(room, left);
      else {
        users.delete(room);
        socketOfRoom.delete(room);
        if (socket.connected) emitWithAck("room:leave", { room }).catch(() => undefined);
      }
    };
  }, [room]);
}

/** Handle one kind of event of one room; the handler may change between renders. */
export function useRoomEvent<T extends object>(room: string, event: string, handler: (body: T) => void) {
  const latest = useRef(handler);
  latest.current = handler;
  useEffect(() => {
    const socket = getSocket();
    const listener = (body: T & { room?: string | null }) => {
      if (body.room === undefined || body.room === null || body.room === room) latest.current(body);
    };
    socket.on(event, listener);
    return () => {
      socket.off(event, listener);
    };
  }, [room, event]);
}
