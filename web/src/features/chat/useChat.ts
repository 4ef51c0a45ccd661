// The messages of a room, oldest first; older pages are fetched on demand.
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";

export type Message = Schemas["ChatMessage"];

const PAGE_SIZE = 60;

export function useMessages(room: string) {
  return useInfiniteQuery({
    queryKey: queryKeys.chat(room),
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam }) =>
      (
        await api.GET("/api/rooms/{room}/chat", {
          params: { path: { room }, query: { limit: PAGE_SIZE, before: pageParam } },
        })
      ).data!,
    getNextPageParam: ({ items }) => (items.length === PAGE_SIZE ? items.at(-1)?.id : undefined),
    select: ({ pages }) => pages.flatMap(({ items }) => items).toReversed(),
  });
}

export function useChat(room: string) {
  const client = useQueryClient();
  const page = useMessages(room);
  const refetch = () => client.invalidateQueries({ queryKey: queryKeys.chat(room) });
  const send = useMutation({
    mutationFn: (text: string) =>
      api.POST("/api/rooms/{room}/chat", { params: { path: { room } }, body: { text } }),
    onSuccess: refetch,
  });
  const edit = useMutation({
    mutationFn: ({ id, text }: { id: string; text: string }) =>
      api.PATCH("/api/rooms/{room}/chat/{id}", { params: { path: { room, id } }, body: { text } }),
    onSuccess: refetch,
  });
  const remove = useMutation({
    mutationFn: (id: string) => api.DELETE("/api/rooms/{room}/chat/{id}", { params: { path: { room, id } } }),
    onSuccess: refetch,
  });
  return { page, send, edit, remove };
}
