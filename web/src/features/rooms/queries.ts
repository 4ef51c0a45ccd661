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

/** Upload a file to a room; a job of the built-in extension `files/Open` converts it to frames. */
export async function uploadFile(room: string, file: File) {
  const { data } = await api.POST("/api/rooms/{room}/files", {
    params: { path: { room }, query: { name: file.name } },
    // The OpenAPI document describes a binary body as a string; the serializer sends the file itself.
    body: "",
    bodySerializer: () => file,
    headers: { "Content-Type": "application/octet-stream" },
  });
  return data!;
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
