import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";

export type Room = Schemas["ListedRoom"];
export const SORTS = ["name", "changed", "frames", "bytes"] as const;
export type Sort = (typeof SORTS)[number];

const PAGE_SIZE = 100;

/** The rooms in pages, those of all pages in one list. */
export function useRooms(search: string, sort: Sort, archived: boolean) {
  return useInfiniteQuery({
    queryKey: queryKeys.rooms(search, sort, archived),
    placeholderData: keepPreviousData,
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset, signal }) => {
      const query = { q: search, sort, archived, limit: PAGE_SIZE, offset };
      return (await api.GET("/api/rooms", { params: { query }, signal })).data!;
    },
    getNextPageParam: (page, pages) => {
      const shown = pages.reduce((sum, { items }) => sum + items.length, 0);
      return page.items.length > 0 && shown < page.total ? shown : undefined;
    },
    select: ({ pages }) => {
      // A room that changes between two requests may be on both pages.
      const items = [
        ...new Map(pages.flatMap((page) => page.items).map((room) => [room.name, room])).values(),
      ];
      return { items, total: pages.at(-1)!.total };
    },
  });
}

/** Archive a room, or take it back. */
export function useArchiveRoom() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, archived }: { name: string; archived: boolean }) =>
      api.PATCH("/api/rooms/{room}", { params: { path: { room: name } }, body: { archived } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.rooms() }),
  });
}

export function useDeleteRoom() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api.DELETE("/api/rooms/{room}", { params: { path: { room: name } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.rooms() }),
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
