// Opens the socket for the signed-in user, applies events to the query cache and renews the token.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "@/lib/api/client";
import { useSession } from "@/lib/api/session";
import { subscribeToEvents } from "@/live/eventHandlers";
import { subscribeToNotices } from "@/live/notices";
import { rejoinAll } from "@/live/room/roomMembership";
import { disconnect, getSocket } from "@/live/socket";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function LiveUpdates() {
  const client = useQueryClient();
  const userId = useSession((session) => session.user?.id);
  const expiresAt = useSession((session) => session.expiresAt);

  useEffect(() => {
    if (!userId) return;
    const socket = getSocket();
    socket.on("connect", rejoinAll);
    if (socket.connected) rejoinAll();
    const stop = subscribeToEvents(client);
    const stopNotices = subscribeToNotices();
    return () => {
      stop();
      stopNotices();
      disconnect();
      client.clear();
    };
  }, [client, userId]);

  useEffect(() => {
    if (!userId) return;
    // Renew after 80 % of the token's lifetime, or at once if the browser was asleep then.
    const rest = expiresAt - Date.now();
    const timer = setTimeout(
      () => {
        api.POST("/api/login/renew").then(
          ({ data }) => data && useSession.getState().begin(data),
          () => undefined,
        );
      },
      Math.min(Math.max(rest * 0.8, 1_000), LONGEST_TIMER_MS),
    );
    return () => clearTimeout(timer);
  }, [userId, expiresAt]);

  return null;
}
