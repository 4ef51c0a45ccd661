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

/** The newest attempt to join each room; older ones end. */
const newestAttempt = new Map<string, symbol>();
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

async function join(room: string) {
  const attempt = Symbol(room);
  newestAttempt.set(room, attempt);
  const isWanted = () => users.has(room) && newestAttempt.get(room) === attempt;
  let pause = FIRST_PAUSE_MS;
  while (isWanted() && getSocket().connected) {
    const { id } = getSocket();
    try {
      await emitWithAck("room:join", { room });
    } catch (error) {
      if (error instanceof RequestRefused) {
        if (!mayBeAcceptedLater(error)) return;
        await new Promise((done) => setTimeout(done, pause));
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
      // After a timeout it is sent again at once; after a connection loss, a new connection joins again.
      continue;
    }
    if (!isWanted()) return;
    socketOfRoom.set(room, id);
    for (const act of joinListeners) act(room);
    return;
  }
}

/** Whether the refusal says nothing about the room or the user: the database had a fault, or there were too many requests. */
function mayBeAcceptedLater({ status }: RequestRefused): boolean {
  return status >= 500 || status === 429;
}

/** Join all rooms again; called for each new connection. */
export function rejoinAll() {
  for (const room of users.keys()) void join(room);
}

/** The page is in the room until the returned function is called as often as this one. */
export function keepJoined(room: string): () => void {
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
}

export function useJoinRoom(room: string) {
  useEffect(() => keepJoined(room), [room]);
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
