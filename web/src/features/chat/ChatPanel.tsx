import { ActionIcon, Button, Center, Group, Loader, Text, Textarea, Tooltip } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconPencil, IconTrash, IconX } from "@tabler/icons-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { AnchorLink } from "@/components/RouterLinks";
import { useSession } from "@/lib/api/session";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { ChatInput } from "./ChatInput";
import { MessageMarkdown } from "./MessageMarkdown";
import { useReadMessages } from "./unread";
import { type Message, useChat } from "./useChat";
import "./chat.css";

const BOTTOM_DISTANCE_PX = 80;
const GROUPING_MS = 5 * 60_000;

export default function ChatPanel({ room }: RoomPanelProps) {
  const { page, send, edit, remove } = useChat(room);
  const list = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const messages = page.data ?? [];
  const newest = messages.at(-1)?.id;

  // Follow new messages only while the list is scrolled to the end.
  useEffect(() => {
    if (newest && atEnd.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [newest]);
  useMarkRead(room, newest, list);

  return (
    <div className="wr-chat">
      <div
        className="wr-chat-list"
        ref={list}
        role="log"
        aria-label="Messages"
        // A scrolling list must be reachable by keyboard.
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          atEnd.current = scrollHeight - scrollTop - clientHeight < BOTTOM_DISTANCE_PX;
        }}
      >
        {page.isPending && (
          <Center py="lg">
            <Loader size="sm" role="status" aria-label="Loading" />
          </Center>
        )}
        {page.isLoadingError && <ErrorAlert error={page.error} onRetry={() => void page.refetch()} />}
        {page.hasNextPage && (
          <Center>
            <Button
              variant="subtle"
              onClick={() => void page.fetchNextPage()}
              loading={page.isFetchingNextPage}
            >
              Earlier messages
            </Button>
          </Center>
        )}
        {page.isSuccess && messages.length === 0 && (
          <Text size="sm" c="dimmed" ta="center" py="lg" px="md">
            No messages yet. All users of the room see your messages; <code>@12</code> links to frame 12, and{" "}
            <code>@name</code> tells a person. <code>$E=mc^2$</code> is a formula.
          </Text>
        )}
        {messages.map((message, at) => (
          <MessageRow
            key={message.id}
            message={message}
            headed={!continuesGroup(messages[at - 1], message)}
            onEdit={(text) => edit.mutateAsync({ id: message.id, text })}
            onRemove={() => remove.mutate(message.id)}
          />
        ))}
      </div>
      <ChatInput room={room} busy={send.isPending} onSend={(text) => send.mutateAsync(text)} />
    </div>
  );
}

/** Messages count as read while the list is on the screen: in front in the layout, and in a visible tab of the browser. */
function useMarkRead(room: string, newest: string | undefined, list: RefObject<HTMLElement | null>) {
  const markRead = useReadMessages((now) => now.markRead);
  useEffect(() => {
    const element = list.current;
    if (!newest || !element) return;
    let onScreen = false;
    const mark = () => {
      if (onScreen && document.visibilityState === "visible") markRead(room, newest);
    };
    const observer = new IntersectionObserver(([entry]) => {
      onScreen = entry!.isIntersecting;
      mark();
    });
    observer.observe(element);
    document.addEventListener("visibilitychange", mark);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", mark);
    };
  }, [room, newest, list, markRead]);
}

function continuesGroup(before: Message | undefined, message: Message): boolean {
  if (!before || before.userId !== message.userId || before.jobId !== message.jobId) return false;
  return Date.parse(message.createdAt) - Date.parse(before.createdAt) < GROUPING_MS;
}

interface MessageRowProps {
  message: Message;
  headed: boolean;
  onEdit: (text: string) => Promise<unknown>;
  onRemove: () => void;
}

function MessageRow({ message, headed, onEdit, onRemove }: MessageRowProps) {
  const mine = useSession((session) => session.user?.id) === message.userId && message.jobId === null;
  const [draft, setDraft] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const save = (text: string) => {
    setSaving(true);
    // The draft is closed only after the server accepted it.
    onEdit(text)
      .then(
        () => setDraft((now) => (now === text ? null : now)),
        () => undefined,
      )
      .finally(() => setSaving(false));
  };
  return (
    <article className="wr-chat-line" data-headed={headed || undefined}>
      {headed && (
        <Group gap={6} wrap="nowrap">
          {message.jobId && <IconAlertTriangle size={14} color="var(--wr-failed)" aria-hidden />}
          <Text span size="sm" fw={600} truncate>
            {message.jobId ? "Job" : (message.user ?? "Former user")}
          </Text>
          <Text span size="xs" c="dimmed" title={new Date(message.createdAt).toLocaleString()}>
            {new Date(message.createdAt).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}
          </Text>
        </Group>
      )}
      {draft === null ? (
        <MessageMarkdown text={message.text} />
      ) : (
        <Group gap={4} align="flex-end" wrap="nowrap">
          <Textarea
            aria-label="Edit the message"
            autosize
            maxRows={8}
            flex={1}
            value={draft}
            onChange={(event) => setDraft(event.currentTarget.value)}
          />
          <ActionIcon aria-label="Save" disabled={!draft.trim()} loading={saving} onClick={() => save(draft)}>
            <IconCheck size={15} />
          </ActionIcon>
          <ActionIcon aria-label="Cancel" onClick={() => setDraft(null)}>
            <IconX size={15} />
          </ActionIcon>
        </Group>
      )}
      {message.editedAt && (
        <Text span size="xs" c="dimmed">
          edited
        </Text>
      )}
      {message.jobId && (
        <AnchorLink to="/jobs/$job" params={{ job: message.jobId }} size="xs">
          Open the job
        </AnchorLink>
      )}
      {mine && draft === null && (
        <span className="wr-chat-acts">
          <Tooltip label="Edit">
            <ActionIcon size="xs" aria-label="Edit the message" onClick={() => setDraft(message.text)}>
              <IconPencil size={13} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Delete">
            <ActionIcon size="xs" aria-label="Delete the message" onClick={onRemove}>
              <IconTrash size={13} />
            </ActionIcon>
          </Tooltip>
        </span>
      )}
    </article>
  );
}
