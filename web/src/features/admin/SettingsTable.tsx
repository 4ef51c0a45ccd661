// The settings of the server, with their values. On a narrow screen each is a block of lines.
import { Code, Loader, Paper, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import classes from "./SettingsTable.module.css";

const formatSetting = (value: unknown) =>
  value === null || (Array.isArray(value) && !value.length)
    ? "–"
    : typeof value === "boolean"
      ? value
        ? "yes"
        : "no"
      : String(value);

/** The text with its parts between backticks as code. */
const withCode = (text: string) =>
  text.split("`").map((part, at) => (at % 2 ? <Code key={at}>{part}</Code> : part));

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
      <Table aria-label="Settings" className={classes.table}>
        <Table.Tbody>
          {settings.data?.map((one) => (
            <Table.Tr key={one.name}>
              <Table.Td className={classes.name}>
                <Text size="sm" ff="monospace">
                  {one.name}
                </Text>
              </Table.Td>
              <Table.Td className={`numbers ${classes.value}`}>{formatSetting(one.value)}</Table.Td>
              <Table.Td>
                <Text size="sm" c="dimmed">
                  {withCode(one.meaning)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
