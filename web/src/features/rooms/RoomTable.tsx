// The table of rooms: what is in them, when they last changed, and what their owners can do with them.
import {
  ActionIcon,
  Badge,
  Button,
  Group,
  Menu,
  Modal,
  Stack,
  Table,
  Text,
  TextInput,
  UnstyledButton,
} from "@mantine/core";
import { IconArchive, IconArrowDown, IconDots, IconLock, IconTrash } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { RelativeTime } from "@/components/RelativeTime";
import { bytes, count } from "@/lib/format";
import { type Room, type Sort, useArchiveRoom, useDeleteRoom } from "./queries";
import { RoomThumbnail } from "./RoomThumbnail";

export function RoomTable(props: { rooms: Room[]; sort: Sort; onSort: (sort: Sort) => void }) {
  const [deleting, setDeleting] = useState<string | null>(null);
  const archive = useArchiveRoom();
  const heading = (sort: Sort, label: string, right = false) => (
    <Table.Th aria-sort={props.sort === sort ? (sort === "name" ? "ascending" : "descending") : undefined}>
      <UnstyledButton
        onClick={() => props.onSort(sort)}
        fz="inherit"
        fw="inherit"
        c={props.sort === sort ? undefined : "dimmed"}
        style={{ display: "flex", gap: 4, alignItems: "center", marginLeft: right ? "auto" : undefined }}
      >
        {label}
        {props.sort === sort && sort !== "name" && <IconArrowDown size={12} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  );
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table highlightOnHover verticalSpacing={6} aria-label="Rooms">
        <Table.Thead>
          <Table.Tr>
            {heading("name", "Name")}
            <Table.Th c="dimmed">Description</Table.Th>
            <Table.Th c="dimmed">Owner</Table.Th>
            {heading("frames", "Frames", true)}
            <Table.Th c="dimmed" ta="right">
              Atoms
            </Table.Th>
            {heading("bytes", "Size", true)}
            {heading("changed", "Changed")}
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {props.rooms.map((room) => (
            <Table.Tr key={room.name}>
              <Table.Td maw={300} miw={190}>
                <RoomName room={room} />
              </Table.Td>
              <Table.Td maw={300}>
                <Text size="sm" c="dimmed" truncate>
                  {room.description}
                </Text>
              </Table.Td>
              <Table.Td>{room.owner ?? "–"}</Table.Td>
              <Table.Td ta="right" className="numbers">
                {count(room.frames)}
              </Table.Td>
              <Table.Td ta="right" className="numbers">
                {room.atoms === null ? "–" : count(room.atoms)}
              </Table.Td>
              <Table.Td ta="right" className="numbers">
                {bytes(room.bytes)}
              </Table.Td>
              <Table.Td c="dimmed">
                <RelativeTime at={room.changedAt} />
              </Table.Td>
              <Table.Td w={40}>
                {room.rights === "own" && (
                  <Menu position="bottom-end" width={170}>
                    <Menu.Target>
                      <ActionIcon aria-label={`More about ${room.name}`}>
                        <IconDots size={15} />
                      </ActionIcon>
                    </Menu.Target>
                    <Menu.Dropdown>
                      <Menu.Item
                        leftSection={<IconArchive size={14} />}
                        onClick={() => archive.mutate({ name: room.name, archived: !room.archived })}
                      >
                        {room.archived ? "Restore" : "Archive"}
                      </Menu.Item>
                      <Menu.Item
                        color="red"
                        leftSection={<IconTrash size={14} />}
                        onClick={() => setDeleting(room.name)}
                      >
                        Delete
                      </Menu.Item>
                    </Menu.Dropdown>
                  </Menu>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {deleting !== null && <DeleteRoom name={deleting} close={() => setDeleting(null)} />}
    </Table.ScrollContainer>
  );
}

function RoomName({ room }: { room: Room }) {
  return (
    <Group gap={10} wrap="nowrap">
      <RoomThumbnail room={room.name} madeAt={room.thumbnailAt} />
      <Group gap="0 10px" miw={120}>
        <Link to="/rooms/$room" params={{ room: room.name }} className="plain">
          <Text span fw={600} style={{ overflowWrap: "anywhere" }}>
            {room.name}
          </Text>
        </Link>
        {room.visibility === "private" && (
          <Badge size="xs" color="gray" leftSection={<IconLock size={10} />} style={{ flex: "none" }}>
            private
          </Badge>
        )}
        {room.locked && (
          <Badge size="xs" color="orange" style={{ flex: "none" }}>
            locked
          </Badge>
        )}
      </Group>
    </Group>
  );
}

function DeleteRoom({ name, close }: { name: string; close: () => void }) {
  const [typed, setTyped] = useState("");
  const remove = useDeleteRoom();
  return (
    <Modal opened onClose={close} title={`Delete ${name}?`} centered>
      <Stack gap="sm">
        <Text size="sm">All frames, figures, messages and jobs are deleted. This cannot be undone.</Text>
        <TextInput
          label={`Type ${name} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button
          color="red"
          disabled={typed !== name}
          loading={remove.isPending}
          onClick={() => remove.mutate(name, { onSuccess: close })}
        >
          Delete permanently
        </Button>
      </Stack>
    </Modal>
  );
}
