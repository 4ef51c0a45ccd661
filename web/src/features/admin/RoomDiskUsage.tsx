// The rooms that take most space, for admins.
import { Loader, Paper, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { bytes, count } from "@/lib/format";

export default function RoomDiskUsage() {
  const rooms = useQuery({
    queryKey: queryKeys.admin("rooms"),
    queryFn: async ({ signal }) =>
      (await api.GET("/api/admin/rooms", { params: { query: { limit: 200 } }, signal })).data!,
  });
  return (
    <Paper className="surface" radius="md">
      {rooms.isLoadingError && <ErrorAlert error={rooms.error} />}
      {rooms.isPending && <Loader size="sm" m="md" role="status" aria-label="Loading" />}
      {rooms.data && (
        <Table.ScrollContainer minWidth={420}>
          <Table highlightOnHover aria-label="Space of rooms">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Room</Table.Th>
                <Table.Th>Owner</Table.Th>
                <Table.Th ta="right">Space</Table.Th>
                <Table.Th ta="right">Frames</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rooms.data.items.map((one) => (
                <Table.Tr key={one.room}>
                  <Table.Td>
                    <Link to="/rooms/$room/settings" params={{ room: one.room }} className="plain">
                      <Text span size="sm" fw={560}>
                        {one.room}
                      </Text>
                    </Link>
                  </Table.Td>
                  <Table.Td>{one.owner ?? "–"}</Table.Td>
                  <Table.Td ta="right">{bytes(one.bytes)}</Table.Td>
                  <Table.Td ta="right">{count(one.frames)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  );
}
