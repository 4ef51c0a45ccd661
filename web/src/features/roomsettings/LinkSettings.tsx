// Invitation links of a room.
import { ActionIcon, Button, Group, Modal, Select, Text } from "@mantine/core";
import { IconLink, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CodeBlock } from "@/components/CodeBlock";
import { RelativeTime } from "@/components/RelativeTime";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { serverUrl } from "@/lib/rootPath";
import { RIGHTS } from "./memberRights";
import { SettingsSection } from "./SettingsSection";

const DAY_SECONDS = 86_400;
/** Null: the link does not expire. */
const VALIDITIES = [
  { value: "1", label: "1 day" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "never", label: "No end" },
];

export function LinkSettings({ room }: { room: string }) {
  const client = useQueryClient();
  const [made, setMade] = useState<string | null>(null);
  const [valid, setValid] = useState("7");
  const links = useQuery({
    queryKey: queryKeys.links(room),
    queryFn: async () =>
      (await api.GET("/api/rooms/{room}/links", { params: { path: { room } } })).data!.items,
  });
  const refetchLinks = () => client.invalidateQueries({ queryKey: queryKeys.links(room) });
  const make = useMutation({
    mutationFn: async (rights: "read" | "write") =>
      (
        await api.POST("/api/rooms/{room}/links", {
          params: { path: { room } },
          body: { rights, expiresInSeconds: valid === "never" ? null : Number(valid) * DAY_SECONDS },
        })
      ).data!,
    onSuccess: ({ link }) => {
      setMade(`${serverUrl}/join/${link}`);
      void refetchLinks();
    },
  });
  const revoke = useMutation({
    mutationFn: (id: string) =>
      api.DELETE("/api/rooms/{room}/links/{id}", { params: { path: { room, id } } }),
    onSettled: refetchLinks,
  });
  const revokeAll = useMutation({
    mutationFn: () => api.DELETE("/api/rooms/{room}/links", { params: { path: { room } } }),
    onSettled: refetchLinks,
  });
  return (
    <SettingsSection
      title="Links"
      about="A user who opens a link becomes a member, and stays one when the link is revoked."
    >
      {links.data?.map((link) => (
        <Group key={link.id} gap="sm" mb={4}>
          <IconLink size={15} />
          <Text size="sm">{RIGHTS.find((one) => one.value === link.rights)?.label}</Text>
          <Text size="xs" c="dimmed">
            made <RelativeTime at={link.createdAt} />,{" "}
            {link.expiresAt ? `valid until ${new Date(link.expiresAt).toLocaleString()}` : "without an end"}
          </Text>
          <ActionIcon aria-label="Revoke the link" size="sm" onClick={() => revoke.mutate(link.id)}>
            <IconTrash size={14} />
          </ActionIcon>
        </Group>
      ))}
      <Group mt="xs" gap="xs" align="flex-end">
        <Select
          label="Valid for"
          data={VALIDITIES}
          value={valid}
          allowDeselect={false}
          w={120}
          onChange={(next) => next && setValid(next)}
        />
        <Button
          variant="default"
          leftSection={<IconLink size={15} />}
          loading={make.isPending}
          onClick={() => make.mutate("read")}
        >
          Link to read
        </Button>
        <Button
          variant="default"
          leftSection={<IconLink size={15} />}
          loading={make.isPending}
          onClick={() => make.mutate("write")}
        >
          Link to write
        </Button>
        {(links.data?.length ?? 0) > 1 && (
          <Button
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={15} />}
            loading={revokeAll.isPending}
            onClick={() => revokeAll.mutate()}
          >
            Revoke all
          </Button>
        )}
      </Group>
      <Modal opened={made !== null} onClose={() => setMade(null)} title="A new link" centered>
        <Text size="sm" mb="xs">
          It is shown only once. Send it to the users you want to invite.
        </Text>
        <CodeBlock code={made ?? ""} />
      </Modal>
    </SettingsSection>
  );
}
