import { Badge, Loader, Paper, Table, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { RelativeTime } from "@/components/RelativeTime";
import { AnchorLink } from "@/components/RouterLinks";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";

export default function RoomsTable() {
  const [search, setSearch] = useState("");
  const rooms = useQuery({
    queryKey: queryKeys.rooms(search),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await api.GET("/api/rooms", { params: { query: { q: search, limit: 200 } }, signal })).data!,
  });
  return (
    <Paper className="surface" radius="md">
      <TextInput
        aria-label="Search rooms"
        placeholder="Search rooms"
        m="sm"
        w={260}
        leftSection={<IconSearch size={15} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {rooms.isLoadingError && <ErrorAlert error={rooms.error} />}
      {rooms.isPending && <Loader size="sm" m="md" role="status" aria-label="Loading" />}
      {rooms.data && (
        <Table.ScrollContainer minWidth={620}>
          <Table highlightOnHover aria-label="Rooms">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Visibility</Table.Th>
                <Table.Th>Owner</Table.Th>
                <Table.Th>Created</Table.Th>
                <Table.Th>Changed</Table.Th>
                <Table.Th />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rooms.data.items.map((room) => (
                <Table.Tr key={room.name}>
                  <Table.Td>
                    <Link to="/rooms/$room" params={{ room: room.name }} className="plain">
                      <Text span size="sm" fw={560}>
                        {room.name}
                      </Text>
                    </Link>
                  </Table.Td>
                  <Table.Td>
                    <Badge
                      size="sm"
                      color="gray"
                      variant={room.visibility === "private" ? "light" : "outline"}
                    >
                      {room.visibility}
                    </Badge>
                    {room.locked && (
                      <Badge size="sm" color="orange" ml={6}>
                        locked
                      </Badge>
                    )}
                  </Table.Td>
                  <Table.Td>{room.owner ?? "–"}</Table.Td>
                  <Table.Td c="dimmed">
                    <RelativeTime at={room.createdAt} />
                  </Table.Td>
                  <Table.Td c="dimmed">
                    <RelativeTime at={room.updatedAt} />
                  </Table.Td>
                  <Table.Td ta="right">
                    <AnchorLink to="/rooms/$room/settings" params={{ room: room.name }} size="xs">
                      Settings
                    </AnchorLink>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  );
}
