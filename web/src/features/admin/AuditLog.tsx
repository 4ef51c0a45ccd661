import { Button, Group, Loader, Paper, Table, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { RelativeTime } from "@/components/RelativeTime";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";

const PAGE_SIZE = 100;

type AuditPage = Schemas["Page_AuditEntry_"];

export default function AuditLog() {
  const audit = useInfiniteQuery({
    queryKey: queryKeys.audit(),
    initialPageParam: 0,
    getNextPageParam: (page: AuditPage) =>
      page.offset + page.items.length < page.total ? page.offset + PAGE_SIZE : undefined,
    queryFn: async ({ pageParam, signal }): Promise<AuditPage> =>
      (
        await api.GET("/api/admin/audit", {
          params: { query: { limit: PAGE_SIZE, offset: pageParam } },
          signal,
        })
      ).data!,
  });
  const items = audit.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Paper className="surface" radius="md">
      {audit.isLoadingError && <ErrorAlert error={audit.error} />}
      {audit.isPending && <Loader size="sm" m="md" role="status" aria-label="Loading" />}
      {audit.data && (
        <Table.ScrollContainer minWidth={720} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table highlightOnHover aria-label="Audit">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>When</Table.Th>
                <Table.Th>Who</Table.Th>
                <Table.Th>What</Table.Th>
                <Table.Th>To</Table.Th>
                <Table.Th>More</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map((one) => (
                <Table.Tr key={one.id}>
                  <Table.Td c="dimmed">
                    <RelativeTime at={one.at} />
                  </Table.Td>
                  <Table.Td>{one.actorName ?? "the server"}</Table.Td>
                  <Table.Td>{one.act.replace(".", ": ")}</Table.Td>
                  <Table.Td style={{ overflowWrap: "break-word" }}>{one.subject}</Table.Td>
                  <Table.Td>
                    <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                      {Object.entries(one.detail)
                        .map(
                          ([name, value]) =>
                            `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
                        )
                        .join(", ")}
                    </Text>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {audit.hasNextPage && (
        <Group justify="center" p="sm">
          <Button variant="default" loading={audit.isFetchingNextPage} onClick={() => audit.fetchNextPage()}>
            Older entries
          </Button>
        </Group>
      )}
    </Paper>
  );
}
