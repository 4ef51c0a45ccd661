import { ActionIcon, Button, Group, ScrollArea, Stack, Text, TextInput, UnstyledButton } from "@mantine/core";
import { IconBookmarkPlus, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { goTo, play, usePlayback } from "@/lib/room/playback";

export default function BookmarksPanel({ room }: RoomPanelProps) {
  const client = useQueryClient();
  const step = usePlayback((now) => (now.playing ? -1 : now.step));
  const empty = usePlayback((now) => now.length === 0);
  const { data, error, isLoadingError, refetch } = useQuery({
    queryKey: queryKeys.bookmarks(room),
    queryFn: async () => (await api.GET("/api/rooms/{room}/bookmarks", { params: { path: { room } } })).data!,
  });
  const refetchBookmarks = () => client.invalidateQueries({ queryKey: queryKeys.bookmarks(room) });
  const put = useMutation({
    mutationFn: ({ index, label }: { index: number; label: string }) =>
      api.PUT("/api/rooms/{room}/bookmarks/{index}", { params: { path: { room, index } }, body: { label } }),
    onSuccess: refetchBookmarks,
  });
  const remove = useMutation({
    mutationFn: (index: number) =>
      api.DELETE("/api/rooms/{room}/bookmarks/{index}", { params: { path: { room, index } } }),
    onSuccess: refetchBookmarks,
  });
  if (isLoadingError) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  const entries = Object.entries(data?.bookmarks ?? {}).map(([index, label]) => ({
    index: Number(index),
    label,
  }));
  return (
    <ScrollArea h="100%">
      <Stack gap={2} p="sm">
        <Button
          variant="default"
          leftSection={<IconBookmarkPlus size={15} />}
          disabled={empty || put.isPending}
          onClick={() => {
            const { step: here } = usePlayback.getState();
            put.mutate({ index: here, label: `Frame ${here}` });
          }}
        >
          Bookmark this frame
        </Button>
        {data && entries.length === 0 && (
          <Text size="sm" c="dimmed" mt="xs">
            Bookmarks mark frames with a name. All users of the room see them, here and on the timeline.
          </Text>
        )}
        {entries.map(({ index, label }) => (
          <Group key={index} gap={6} wrap="nowrap" mt={4}>
            <UnstyledButton
              onClick={() => {
                play(false);
                goTo(index);
              }}
              aria-label={`Go to frame ${index}`}
              w={64}
            >
              <Text
                size="sm"
                className="numbers"
                fw={index === step ? 700 : 400}
                c={index === step ? "iris" : "dimmed"}
              >
                @{index}
              </Text>
            </UnstyledButton>
            <Label label={label} onChange={(text) => put.mutate({ index, label: text })} />
            <ActionIcon aria-label={`Remove the bookmark ${label}`} onClick={() => remove.mutate(index)}>
              <IconTrash size={14} />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
    </ScrollArea>
  );
}

function Label({ label, onChange }: { label: string; onChange: (label: string) => void }) {
  const [draft, setDraft] = useState<string | null>(null);
  const done = () => {
    const text = draft?.trim();
    if (text && text !== label) onChange(text);
    setDraft(null);
  };
  return (
    <TextInput
      flex={1}
      size="xs"
      variant="unstyled"
      aria-label="Label"
      maxLength={500}
      value={draft ?? label}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={done}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") setDraft(null);
      }}
    />
  );
}
