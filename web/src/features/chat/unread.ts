// Which messages of a room this browser has shown.
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { useSession } from "@/lib/api/session";
import { type Message, useMessages } from "./useChat";

interface ReadMessages {
  /** The newest message that was shown, by room. Newer ids are larger. */
  newest: Record<string, string>;
  markRead: (room: string, id: string) => void;
}

export const useReadMessages = create<ReadMessages>()(
  persist(
    (set) => ({
      newest: {},
      markRead: (room, id) =>
        set((now) => (id > (now.newest[room] ?? "") ? { newest: { ...now.newest, [room]: id } } : now)),
    }),
    { name: "workroom.chat.read", partialize: ({ newest }) => ({ newest }) },
  ),
);

/** How many messages of others are newer than the last one that was shown here. */
export function useUnreadMessages(room: string): number {
  const { data } = useMessages(room);
  const me = useSession((session) => session.user?.id);
  const read = useReadMessages((now) => now.newest[room]);
  return countUnread(data ?? [], me, read);
}

export function countUnread(
  messages: readonly Pick<Message, "id" | "userId">[],
  me: string | undefined,
  read = "",
): number {
  return messages.filter(({ id, userId }) => id > read && userId !== me).length;
}
