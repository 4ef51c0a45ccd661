// Saved selections and selection groups: save the current selection, and restore a saved one.
import {
  ActionIcon,
  Button,
  Group,
  ScrollArea,
  Stack,
  Text,
  TextInput,
  Tooltip,
  UnstyledButton,
} from "@mantine/core";
import { IconDeviceFloppy, IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { useSession } from "@/lib/api/session";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { formatAtoms, select, useSelection } from "@/lib/room/selectionStore";
import { AtomExpressionInput } from "@/live/room/AtomExpressionInput";
import { PARTICLES, useSelections } from "@/live/room/sharedSelection";

export default function SelectionPanel({ room }: RoomPanelProps) {
  const client = useQueryClient();
  const atoms = useSelection((now) => now.atoms);
  const { data, error, isLoadingError, refetch } = useSelections(room);
  const refetchSelections = () => client.invalidateQueries({ queryKey: queryKeys.selections(room) });
  const put = useMutation({
    mutationFn: async ({ name, group }: { name: string; group: boolean }) => {
      const params = { path: { room, key: name } };
      const indices = [...atoms];
      if (group)
        await api.PUT("/api/rooms/{room}/selection-groups/{key}", {
          params,
          body: { [PARTICLES]: indices },
        });
      else await api.PUT("/api/rooms/{room}/selections/{key}", { params, body: { indices } });
    },
    onSuccess: refetchSelections,
  });
  const remove = useMutation({
    mutationFn: async ({ name, group }: { name: string; group: boolean }) => {
      const params = { path: { room, key: name } };
      if (group) await api.DELETE("/api/rooms/{room}/selection-groups/{key}", { params });
      else await api.DELETE("/api/rooms/{room}/selections/{key}", { params });
    },
    onSuccess: refetchSelections,
  });
  if (isLoadingError) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  const named = Object.entries(data?.selections ?? {}).filter(([name]) => name !== PARTICLES);
  const groups = Object.entries(data?.groups ?? {});
  return (
    <ScrollArea h="100%" type="auto">
      <Stack gap="xs" p="sm">
        <AtomExpressionInput room={room} />
        <SaveSelection
          authors={{ ...data?.groupAuthors, ...data?.authors }}
          off={atoms.length === 0 || put.isPending}
          onSave={(name, group) => put.mutate({ name, group })}
        />
        {named.map(([name, indices]) => (
          <SavedSelection
            key={name}
            name={name}
            author={data?.authors[name]}
            note={`${indices.length === 1 ? "1 atom" : `${indices.length} atoms`}: ${formatAtoms(indices, 3)}`}
            onChoose={() => select(indices)}
            onRemove={() => remove.mutate({ name, group: false })}
          />
        ))}
        {groups.length > 0 && (
          <Text size="xs" c="dimmed" fw={600} mt="xs">
            Groups
          </Text>
        )}
        {groups.map(([name, parts]) => (
          <SavedSelection
            key={name}
            name={name}
            author={data?.groupAuthors[name]}
            note={Object.entries(parts)
              .map(([part, indices]) => `${part}: ${indices.length}`)
              .join(", ")}
            onChoose={() => select(parts[PARTICLES] ?? Object.values(parts)[0] ?? [])}
            onRemove={() => remove.mutate({ name, group: true })}
          />
        ))}
        {data && named.length + groups.length === 0 && (
          <Text size="sm" c="dimmed">
            Click atoms in the viewer, then save them under a name for extensions and other users.
          </Text>
        )}
      </Stack>
    </ScrollArea>
  );
}

interface SaveSelectionProps {
  /** By name, who made the selections that are there. */
  authors: Record<string, string | null>;
  off: boolean;
  onSave: (name: string, group: boolean) => void;
}

function SaveSelection({ authors, off, onSave }: SaveSelectionProps) {
  const [text, setText] = useState("");
  const me = useSession((session) => session.user?.name);
  const name = text.trim();
  const wrong = name.includes("/") || name === PARTICLES;
  const author = authors[name];
  const taken = name in authors && author !== me;
  const disabled = off || wrong || !name;
  const save = (group: boolean) => {
    onSave(name, group);
    setText("");
  };
  const form = (
    <Group gap={6} align="flex-end" wrap="nowrap">
      <TextInput
        flex={1}
        label="Save as"
        placeholder="name"
        maxLength={200}
        value={text}
        error={wrong ? "Another name, without /" : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button
        variant="default"
        leftSection={<IconDeviceFloppy size={14} />}
        disabled={disabled}
        onClick={() => save(false)}
      >
        {taken ? "Replace" : "Save"}
      </Button>
      <Tooltip label="Save as a group of selections">
        <Button variant="subtle" disabled={disabled} onClick={() => save(true)}>
          as group
        </Button>
      </Tooltip>
    </Group>
  );
  return (
    <div>
      {form}
      {taken && (
        <Text size="xs" c="dimmed" mt={4} role="status">
          This replaces {name} of {author ?? "a former user"}. Changes can be undone.
        </Text>
      )}
    </div>
  );
}

interface SavedSelectionProps {
  name: string;
  note: string;
  author: string | null | undefined;
  onChoose: () => void;
  onRemove: () => void;
}

function SavedSelection({ name, note, author, onChoose, onRemove }: SavedSelectionProps) {
  const me = useSession((session) => session.user?.name);
  return (
    <Group gap={6} wrap="nowrap" justify="space-between">
      <UnstyledButton onClick={onChoose} aria-label={`Select ${name}`} style={{ minWidth: 0 }}>
        <Text size="sm" fw={500} truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {author === me ? "yours" : `by ${author ?? "a former user"}`} · {note}
        </Text>
      </UnstyledButton>
      <ActionIcon aria-label={`Remove ${name}`} onClick={onRemove}>
        <IconTrash size={14} />
      </ActionIcon>
    </Group>
  );
}
