// Description, visibility and lock of a room, and who may offer extensions in it.
import { Button, Group, SegmentedControl, Select, Stack, Switch, Text, Textarea } from "@mantine/core";
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
              ? "All signed-in users may read and write it."
              : "Only its members can see it."}
          </Text>
        </Group>
        {room.visibility === "public" && (
          <Select
            label="Extensions from"
            description="Who may offer extensions here. Their workers are handed the jobs and the content of the room."
            maw={420}
            disabled={!owns}
            allowDeselect={false}
            value={room.extensionsFrom}
            onChange={(from) =>
              from && change.mutate({ extensionsFrom: from as Schemas["Room"]["extensionsFrom"] })
            }
            data={[
              { value: "members", label: "Members" },
              { value: "users", label: "Users with a password" },
              { value: "guests", label: "Everyone, also guests" },
            ]}
          />
        )}
        <Switch
          label="Locked"
          description="Only owners can make changes."
          disabled={!owns}
          checked={room.locked}
          onChange={(event) => change.mutate({ locked: event.currentTarget.checked })}
        />
      </Stack>
    </SettingsSection>
  );
}
