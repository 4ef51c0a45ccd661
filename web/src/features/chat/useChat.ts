// What was said, oldest first, with older pages on demand.
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { callJson, roomPath } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";

export interface Message {
  id: string;
  userId: string | null;
  user: string | null;
  jobId: string | null;
  text: string;
  createdAt: string;
  edited?: boolean;
  editedAt: string | null;
}

const PAGE_SIZE = 60;

export function useChat(room: string) {
  const client = useQueryClient();
  const page = useInfiniteQuery({
    queryKey: queryKeys.chat(room),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      callJson<{ items: Message[] }>("GET", roomPath(room, "chat"), {
        query: { limit: PAGE_SIZE, before: pageParam },
      }),
    getNextPageParam: ({ items }) => (items.length === PAGE_SIZE ? items.at(-1)?.id : undefined),
    select: ({ pages }) => pages.flatMap(({ items }) => items).toReversed(),
  });
  const renew = () => client.invalidateQueries({ queryKey: queryKeys.chat(room) });
  const say = useMutation({
    mutationFn: (text: string) => callJson<Message>("POST", roomPath(room, "chat"), { body: { text } }),
    onSuccess: renew,
  });
  const edit = useMutation({
    mutationFn: ({ id, text }: { id: string; text: string }) =>
      callJson<Message>("PATCH", roomPath(room, "chat", id), { body: { text } }),
    onSuccess: renew,
  });
  const takeBack = useMutation({
    mutationFn: (id: string) => callJson("DELETE", roomPath(room, "chat", id)),
    onSuccess: renew,
  });
  return { page, say, edit, takeBack };
}
