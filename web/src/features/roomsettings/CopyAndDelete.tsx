// Duplicates or deletes a room.
import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { IconCopy, IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { notify } from "@/lib/notifications";
import { SettingsSection } from "./SettingsSection";
export function CopyAndDelete({ room, owns }: { room: Schemas["Room"]; owns: boolean }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [name, setName] = useState(`${room.name}-copy`);
  const [typed, setTyped] = useState("");
  const [asking, setAsking] = useState(false);
  const duplicate = useMutation({
    mutationFn: async () =>
      (
        await api.POST("/api/rooms/{room}/duplicate", {
          params: { path: { room: room.name } },
          body: { name },
        })
      ).data!,
    onSuccess: (made) => {
      void client.invalidateQueries({ queryKey: queryKeys.rooms() });
      void navigate({ to: "/rooms/$room", params: { room: made.name } });
    },
  });
  const remove = useMutation({
    mutationFn: () => api.DELETE("/api/rooms/{room}", { params: { path: { room: room.name } } }),
    onSuccess: async () => {
      notify(`Room ${room.name} is deleted.`);
      await navigate({ to: "/" });
      client.removeQueries({ queryKey: queryKeys.room(room.name) });
      void client.invalidateQueries({ queryKey: queryKeys.rooms() });
    },
  });
  return (
    <SettingsSection title="Copy and delete">
      <Group gap="xs" mt="xs">
        <TextInput
          aria-label="Name of the copy"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          size="sm"
          variant="default"
          leftSection={<IconCopy size={15} />}
          disabled={!name.trim()}
          loading={duplicate.isPending}
          onClick={() => duplicate.mutate()}
        >
          Make a copy
        </Button>
        {owns && (
          <Button
            size="sm"
            ml="auto"
            color="red"
            variant="light"
            leftSection={<IconTrash size={15} />}
            onClick={() => setAsking(true)}
          >
            Delete this room
          </Button>
        )}
      </Group>
      <Modal opened={asking} onClose={() => setAsking(false)} title={`Delete ${room.name}?`} centered>
        <Stack gap="sm">
          <Text size="sm">Everything in it goes: frames, figures, chat and jobs. There is no way back.</Text>
          <TextInput
            label={`Type ${room.name} to go on`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button
            color="red"
            disabled={typed !== room.name}
            loading={remove.isPending}
            onClick={() => remove.mutate()}
          >
            Delete it for good
          </Button>
        </Stack>
      </Modal>
    </SettingsSection>
  );
}
