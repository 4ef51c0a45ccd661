// Opens the socket for the signed-in user, applies events to the query cache and renews the token.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "@/lib/api/client";
import { useSession } from "@/lib/api/session";
import { subscribeToNotices } from "@/live/browserNotifications";
import { subscribeToEvents } from "@/live/eventHandlers";
import { rejoinAll } from "@/live/room/roomMembership";
import { disconnect, getSocket } from "@/live/socket";
import { keepTokenRenewed } from "@/live/tokenRenewal";

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
    const socket = getSocket();
    return keepTokenRenewed({
      expiresAt,
      renew: async () => {
        const { data } = await api.POST("/api/login/renew");
        if (data) useSession.getState().begin(data);
      },
      onReconnect: (act) => {
        socket.on("connect", act);
        return () => socket.off("connect", act);
      },
    });
  }, [userId, expiresAt]);

  return null;
}
