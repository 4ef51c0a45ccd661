// Description, visibility and lock of a room.
import { Button, Group, SegmentedControl, Stack, Switch, Text, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { SettingsSection } from "./SettingsSection";
export function GeneralSettings({ room, owns }: { room: Schemas["Room"]; owns: boolean }) {
  const client = useQueryClient();
  const [description, setDescription] = useState(room.description);
  const change = useMutation({
    mutationFn: (body: Partial<Schemas["RoomChange"]>) =>
      api.PATCH("/api/rooms/{room}", {
        params: { path: { room: room.name } },
        body: body as Schemas["RoomChange"],
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.roomInfo(room.name) }),
  });
  return (
    <SettingsSection title="General">
      <Stack gap="md" mt="xs">
        <div>
          <Textarea
            label="Description"
            autosize
            minRows={2}
            maxRows={10}
            readOnly={!owns}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          {description !== room.description && (
            <Button mt="xs" loading={change.isPending} onClick={() => change.mutate({ description })}>
              Save
            </Button>
          )}
        </div>
        <Group gap="lg">
          <SegmentedControl
            aria-label="Visibility"
            disabled={!owns}
            value={room.visibility}
            onChange={(visibility) => change.mutate({ visibility: visibility as "public" | "private" })}
            data={[
              { value: "public", label: "Public" },
              { value: "private", label: "Private" },
            ]}
          />
          <Text size="sm" c="dimmed">
            {room.visibility === "public"
              ? "Everybody who is signed in may see it and write in it."
              : "It does not exist for anybody but its members."}
          </Text>
        </Group>
        <Switch
          label="Locked"
          description="Only its owners change anything."
          disabled={!owns}
          checked={room.locked}
          onChange={(event) => change.mutate({ locked: event.currentTarget.checked })}
        />
      </Stack>
    </SettingsSection>
  );
}
