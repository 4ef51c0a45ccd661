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
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { formatAtoms, parseAtoms, select, useSelection } from "@/lib/room/selectionStore";
import { PARTICLES, useSelections } from "@/live/sharedSelection";

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
        <SelectedAtoms atoms={atoms} />
        <SaveSelection
          off={atoms.length === 0 || put.isPending}
          onKeep={(name, group) => put.mutate({ name, group })}
        />
        {named.map(([name, indices]) => (
          <SavedSelections
            key={name}
            name={name}
            note={`${indices.length} atoms: ${formatAtoms(indices, 3)}`}
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
          <SavedSelections
            key={name}
            name={name}
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

function SelectedAtoms({ atoms }: { atoms: readonly number[] }) {
  const [draft, setDraft] = useState<string | null>(null);
  const read = draft === null ? [] : parseAtoms(draft);
  return (
    <TextInput
      label={`Selected now: ${atoms.length}`}
      placeholder="none; type e.g. 0-5, 9"
      value={draft ?? formatAtoms(atoms, 40)}
      error={read === null ? "Write numbers and ranges: 0-5, 9" : undefined}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onBlur={() => {
        if (draft !== null && read !== null) select(read);
        setDraft(null);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") setDraft(null);
      }}
    />
  );
}

function SaveSelection({ off, onKeep }: { off: boolean; onKeep: (name: string, group: boolean) => void }) {
  const [name, setName] = useState("");
  const wrong = name.includes("/") || name === PARTICLES;
  const keep = (group: boolean) => {
    onKeep(name.trim(), group);
    setName("");
  };
  return (
    <Group gap={6} align="flex-end" wrap="nowrap">
      <TextInput
        flex={1}
        label="Keep it as"
        placeholder="name"
        maxLength={200}
        value={name}
        error={wrong ? "Another name, without /" : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button
        variant="default"
        leftSection={<IconDeviceFloppy size={14} />}
        disabled={off || wrong || !name.trim()}
        onClick={() => keep(false)}
      >
        Keep
      </Button>
      <Tooltip label="Keep it as a group">
        <Button variant="subtle" disabled={off || wrong || !name.trim()} onClick={() => keep(true)}>
          as group
        </Button>
      </Tooltip>
    </Group>
  );
}

function SavedSelections(props: { name: string; note: string; onChoose: () => void; onRemove: () => void }) {
  const { name, note, onChoose, onRemove } = props;
  return (
    <Group gap={6} wrap="nowrap" justify="space-between">
      <UnstyledButton onClick={onChoose} aria-label={`Select ${name}`} style={{ minWidth: 0 }}>
        <Text size="sm" fw={500} truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {note}
        </Text>
      </UnstyledButton>
      <ActionIcon aria-label={`Remove ${name}`} onClick={onRemove}>
        <IconTrash size={14} />
      </ActionIcon>
    </Group>
  );
}
