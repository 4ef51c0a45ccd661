// What was said, oldest first, with older pages on demand.
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { callJson, roomPath } from "@/lib/api";
import { keys } from "@/lib/keys";

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

const PAGE = 60;

export function useChat(room: string) {
  const client = useQueryClient();
  const page = useInfiniteQuery({
    queryKey: keys.chat(room),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      callJson<{ items: Message[] }>("GET", roomPath(room, "chat"), {
        query: { limit: PAGE, before: pageParam },
      }),
    getNextPageParam: ({ items }) => (items.length === PAGE ? items.at(-1)?.id : undefined),
    select: ({ pages }) => pages.flatMap(({ items }) => items).toReversed(),
  });
  const renew = () => client.invalidateQueries({ queryKey: keys.chat(room) });
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
