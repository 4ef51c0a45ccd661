// The reason why this user cannot write a part of the room now, if there is one.
import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { useNow } from "@/lib/useNow";
import { useRoomInfo } from "@/live/queries";

export function useLocks(room: string) {
  return useQuery({
    queryKey: queryKeys.locks(room),
    queryFn: async () => (await api.GET("/api/rooms/{room}/locks", { params: { path: { room } } })).data!,
  });
}

/** `target` is what locks cover: "trajectory", "geometries". */
export function useWriteBlockedReason(room: string, target: string): string | null {
  const info = useRoomInfo(room).data;
  const locks = useLocks(room).data?.items ?? [];
  const taken = locks.find((lock) => lock.target === target);
  // A lock that is not refreshed ends without an event.
  const now = useNow(taken ? 1_000 : 0);
  if (info?.rights === "read") return "You may read this room, but not change it.";
  if (info?.locked && info.rights !== "own") return "The room is locked. Ask one of its owners to unlock it.";
  const held = taken && Date.parse(taken.expiresAt) > now ? taken : null;
  if (!held) return null;
  return `${held.holder.name} holds the lock on the ${target}${held.message ? `: ${held.message}` : ""}.`;
}
