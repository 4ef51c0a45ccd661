// A room's description, visibility, members and links; for its owners to change, for others to read.
import {
  ActionIcon,
  Badge,
  Button,
  Group,
  Loader,
  Modal,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Table,
  Text,
  Textarea,
  TextInput,
  Title,
} from "@mantine/core";
import { IconCopy, IconLink, IconTrash, IconUserPlus } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { CodeBlock } from "@/components/CodeBlock";
import { Page } from "@/components/Page";
import { RelativeTime } from "@/components/RelativeTime";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { notify } from "@/lib/notifications";
import { useRoomInfo } from "@/live/queries";

export default function RoomSettingsPage() {
  const { room } = useParams({ strict: false }) as { room: string };
  const info = useRoomInfo(room);
  if (!info.data) return <Loader m="xl" size="sm" role="status" aria-label="Loading" />;
  const owns = info.data.rights === "own";
  return (
    <Page
      title={room}
      subtitle={
        <>
          Made by {info.data.owner ?? "somebody"} <RelativeTime at={info.data.createdAt} />.{" "}
          {owns ? "You own it." : `You may ${info.data.rights === "write" ? "read and write" : "read"} here.`}
        </>
      }
    >
      <Stack gap="md" maw={860}>
        <GeneralSettings key={info.data.updatedAt} room={info.data} owns={owns} />
        <MemberSettings room={room} owns={owns} />
        {owns && <LinkSettings room={room} />}
        <CopyAndDelete room={info.data} owns={owns} />
      </Stack>
    </Page>
  );
}

function SettingsSection({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <Paper className="surface" p="md" radius="md">
      <Title order={2} size="h4">
        {title}
      </Title>
      {about && (
        <Text size="sm" c="dimmed" mb="sm">
          {about}
        </Text>
      )}
      {children}
    </Paper>
  );
}

function GeneralSettings({ room, owns }: { room: Schemas["Room"]; owns: boolean }) {
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

const RIGHTS = [
  { value: "read", label: "may read" },
  { value: "write", label: "may write" },
  { value: "own", label: "owns it" },
];

function MemberSettings({ room, owns }: { room: string; owns: boolean }) {
  const client = useQueryClient();
  const members = useQuery({
    queryKey: queryKeys.members(room),
    queryFn: async () =>
      (await api.GET("/api/rooms/{room}/members", { params: { path: { room } } })).data!.items,
  });
  const renew = () => client.invalidateQueries({ queryKey: queryKeys.members(room) });
  const put = useMutation({
    mutationFn: ({ who, rights }: { who: string; rights: string }) =>
      api.PUT("/api/rooms/{room}/members/{who}", {
        params: { path: { room, who } },
        body: { rights: rights as "read" | "write" | "own" },
      }),
    onSettled: renew,
  });
  const remove = useMutation({
    mutationFn: (who: string) =>
      api.DELETE("/api/rooms/{room}/members/{who}", { params: { path: { room, who } } }),
    onSettled: renew,
  });
  const [who, setWho] = useState("");
  const [rights, setRights] = useState("write");
  const add = (event: FormEvent) => {
    event.preventDefault();
    put.mutate({ who: who.trim(), rights }, { onSuccess: () => setWho("") });
  };
  return (
    <SettingsSection
      title="Members"
      about="In a private room only they come in; in a public one they may have more rights than others."
    >
      <Table verticalSpacing={6}>
        <Table.Tbody>
          {members.data?.map((member) => (
            <Table.Tr key={member.id}>
              <Table.Td fw={560}>{member.name}</Table.Td>
              <Table.Td w={150}>
                {owns && !member.creator ? (
                  <Select
                    aria-label={`Rights of ${member.name}`}
                    size="xs"
                    allowDeselect={false}
                    data={RIGHTS}
                    value={member.rights}
                    onChange={(value) => value && put.mutate({ who: member.id, rights: value })}
                  />
                ) : (
                  <Badge color="gray">
                    {member.creator ? "made it" : RIGHTS.find((one) => one.value === member.rights)?.label}
                  </Badge>
                )}
              </Table.Td>
              <Table.Td w={40}>
                {owns && !member.creator && (
                  <ActionIcon aria-label={`Put ${member.name} out`} onClick={() => remove.mutate(member.id)}>
                    <IconTrash size={15} />
                  </ActionIcon>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {owns && (
        <form onSubmit={add}>
          <Group mt="sm" gap="xs">
            <TextInput
              aria-label="Name of a new member"
              placeholder="Name"
              value={who}
              onChange={(event) => setWho(event.currentTarget.value)}
            />
            <Select
              aria-label="Rights of the new member"
              w={130}
              size="sm"
              allowDeselect={false}
              data={RIGHTS}
              value={rights}
              onChange={(value) => setRights(value ?? "write")}
            />
            <Button
              type="submit"
              size="sm"
              variant="default"
              leftSection={<IconUserPlus size={15} />}
              disabled={!who.trim()}
              loading={put.isPending}
            >
              Add
            </Button>
          </Group>
        </form>
      )}
    </SettingsSection>
  );
}

function LinkSettings({ room }: { room: string }) {
  const client = useQueryClient();
  const [made, setMade] = useState<string | null>(null);
  const links = useQuery({
    queryKey: queryKeys.links(room),
    queryFn: async () =>
      (await api.GET("/api/rooms/{room}/links", { params: { path: { room } } })).data!.items,
  });
  const renew = () => client.invalidateQueries({ queryKey: queryKeys.links(room) });
  const make = useMutation({
    mutationFn: async (rights: "read" | "write") =>
      (
        await api.POST("/api/rooms/{room}/links", {
          params: { path: { room } },
          body: { rights, expiresInSeconds: 7 * 86_400 },
        })
      ).data!,
    onSuccess: ({ link }) => {
      setMade(`${location.origin}/join/${link}`);
      void renew();
    },
  });
  const back = useMutation({
    mutationFn: (id: string) =>
      api.DELETE("/api/rooms/{room}/links/{id}", { params: { path: { room, id } } }),
    onSettled: renew,
  });
  return (
    <SettingsSection title="Links" about="Whoever opens a link becomes a member. A link works for a week.">
      {links.data?.map((link) => (
        <Group key={link.id} gap="sm" mb={4}>
          <IconLink size={15} />
          <Text size="sm">{RIGHTS.find((one) => one.value === link.rights)?.label}</Text>
          <Text size="xs" c="dimmed">
            made <RelativeTime at={link.createdAt} />
          </Text>
          <ActionIcon aria-label="Take the link back" size="sm" onClick={() => back.mutate(link.id)}>
            <IconTrash size={14} />
          </ActionIcon>
        </Group>
      ))}
      <Group mt="xs" gap="xs">
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
      </Group>
      <Modal opened={made !== null} onClose={() => setMade(null)} title="A new link" centered>
        <Text size="sm" mb="xs">
          It is shown this once. Send it to whom you want to let in.
        </Text>
        <CodeBlock code={made ?? ""} />
      </Modal>
    </SettingsSection>
  );
}

function CopyAndDelete({ room, owns }: { room: Schemas["Room"]; owns: boolean }) {
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
