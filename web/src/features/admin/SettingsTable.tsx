import { Loader, Paper, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";

const formatSetting = (value: unknown) =>
  value === null || (Array.isArray(value) && !value.length)
    ? "–"
    : typeof value === "boolean"
      ? value
        ? "yes"
        : "no"
      : String(value);

export default function SettingsTable() {
  const settings = useQuery({
    queryKey: queryKeys.admin("settings"),
    queryFn: async () => (await api.GET("/api/admin/settings")).data!.items,
  });
  return (
    <Paper className="surface" radius="md">
      <Text size="sm" c="dimmed" p="sm">
        Settings are changed where the server is started: by flags, by WORKROOM_… variables, or in
        workroom.toml in its data folder.
      </Text>
      {settings.isLoadingError && <ErrorAlert error={settings.error} />}
      {settings.isPending && <Loader size="sm" m="md" role="status" aria-label="Loading" />}
      <Table aria-label="Settings">
        <Table.Tbody>
          {settings.data?.map((one) => (
            <Table.Tr key={one.name}>
              <Table.Td w={220}>
                <Text size="sm" ff="monospace">
                  {one.name}
                </Text>
              </Table.Td>
              <Table.Td className="numbers" style={{ overflowWrap: "anywhere" }}>
                {formatSetting(one.value)}
              </Table.Td>
              <Table.Td>
                <Text size="sm" c="dimmed">
                  {one.meaning}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
