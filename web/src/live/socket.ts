// The one Socket.IO connection of this page.
import { io, type Socket } from "socket.io-client";
import { create } from "zustand";
import { useSession } from "@/lib/api/session";

type ConnectionStatus = "off" | "connecting" | "live" | "lost";

export const useConnection = create<{ standing: ConnectionStatus; since: number }>(() => ({
  standing: "off",
  since: 0,
}));

function setStatus(standing: ConnectionStatus) {
  document.documentElement.dataset.live = standing;
  if (useConnection.getState().standing !== standing) useConnection.setState({ standing, since: Date.now() });
}

let socket: Socket | null = null;

/** The connection, opened when it is first needed and signed in as whoever is signed in now. */
export function getSocket(): Socket {
  if (socket) return socket;
  setStatus("connecting");
  socket = io({
    transports: ["websocket", "polling"],
    auth: (tell) => tell({ token: useSession.getState().token }),
    timeout: 5_000,
    reconnectionDelay: 300,
    reconnectionDelayMax: 2_000,
  });
  socket.on("connect", () => setStatus("live"));
  socket.on("disconnect", (reason) => {
    setStatus("lost");
    // The server closes connections whose token has ended; a fresh one may come back.
    if (reason === "io server disconnect" && useSession.getState().token)
      setTimeout(() => socket?.connect(), 500);
  });
  socket.on("connect_error", () => {
    setStatus("lost");
    if (socket && !socket.active && useSession.getState().token) setTimeout(() => socket?.connect(), 2_000);
  });
  return socket;
}

export function disconnect() {
  socket?.removeAllListeners();
  socket?.disconnect();
  socket = null;
  setStatus("off");
}

/** The server answered, and will not do it. */
export class RequestRefused extends Error {}

/** Send a message and await its answer; a refusal is thrown, and so is an answer that does not come. */
export async function emitWithAck<T = Record<string, unknown>>(event: string, body: unknown): Promise<T> {
  const answer = await getSocket().timeout(10_000).emitWithAck(event, body);
  if (!answer.ok) throw new RequestRefused(answer.message ?? "The server refused.");
  return answer as T;
}
