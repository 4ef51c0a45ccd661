import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";

export type Room = Schemas["Room"];

export function useRooms(search: string) {
  return useQuery({
    queryKey: queryKeys.rooms(search),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await api.GET("/api/rooms", { params: { query: { q: search, limit: 200 } }, signal })).data!,
  });
}

export function useCreateRoom() {
  const client = useQueryClient();
  return useMutation({
    meta: { quiet: true },
    mutationFn: async (room: Schemas["NewRoom"]) => (await api.POST("/api/rooms", { body: room })).data!,
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.rooms() }),
  });
}

/** A room name derived from a file name. */
export function roomNameFor(file: string, taken: Set<string>): string {
  const base =
    file
      .replace(/\.[^.]*$/, "")
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, "-")
      .replace(/^[-_]+|[-_]+$/g, "")
      .slice(0, 60) || "room";
  if (!taken.has(base)) return base;
  for (let number = 2; ; number += 1) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`;
}
