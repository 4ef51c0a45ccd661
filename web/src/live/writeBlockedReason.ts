// The reason why this user cannot write a part of the room now, if there is one.
import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
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
  if (info?.rights === "read") return "You may read this room, but not change it.";
  if (info?.locked && info.rights !== "own") return "The room is locked. Ask one of its owners to unlock it.";
  const held = locks.find((lock) => lock.target === target && Date.parse(lock.expiresAt) > Date.now());
  if (!held) return null;
  return `${held.holder.name} holds the lock on the ${target}${held.message ? `: ${held.message}` : ""}.`;
}
