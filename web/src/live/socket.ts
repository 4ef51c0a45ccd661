// The Socket.IO connection of this page.
import { io, type Socket } from "socket.io-client";
import { create } from "zustand";
import { useSession } from "@/lib/api/session";
import { rootPath } from "@/lib/rootPath";

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

/** The socket; opened at the first call with the token of the signed-in user. */
export function getSocket(): Socket {
  if (socket) return socket;
  setStatus("connecting");
  socket = io({
    path: `${rootPath}/socket.io`,
    transports: ["websocket", "polling"],
    auth: (tell) => tell({ token: useSession.getState().token }),
    timeout: 5_000,
    reconnectionDelay: 300,
    reconnectionDelayMax: 2_000,
  });
  socket.on("connect", () => setStatus("live"));
  socket.on("disconnect", (reason) => {
    setStatus("lost");
    // The server disconnects when the token expires; reconnect with the renewed token.
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

/** The server rejected the request. */
export class RequestRefused extends Error {
  constructor(
    message: string,
    readonly code: string,
    /** As of HTTP; 500 for an error that the server did not expect. */
    readonly status: number,
  ) {
    super(message);
  }
}

/** Send an event and await the acknowledgement. Throws if the server rejects it or does not answer. */
export async function emitWithAck<T = Record<string, unknown>>(event: string, body: unknown): Promise<T> {
  const answer = await getSocket().timeout(10_000).emitWithAck(event, body);
  if (!answer.ok)
    throw new RequestRefused(
      answer.message ?? "The server rejected the request.",
      answer.code ?? "error",
      answer.status ?? 500,
    );
  return answer as T;
}
