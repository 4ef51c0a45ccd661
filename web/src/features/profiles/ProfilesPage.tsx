import { Badge, Group, Loader, Paper, Table, Text } from "@mantine/core";
import { IconChartBar } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { EmptyState } from "@/components/EmptyState";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { Page } from "@/components/Page";
import { RelativeTime } from "@/components/RelativeTime";
import { count, duration, fineDuration } from "@/lib/format";
import { useProfiledFunctions } from "./queries";

export default function ProfilesPage() {
  const profiled = useProfiledFunctions();
  return (
    <Page
      title="Profiles"
      subtitle="Where the time of posted functions goes. A share of all executions is measured, function by function."
    >
      <Paper className="surface" radius="md">
        {profiled.isLoadingError && <ErrorAlert error={profiled.error} onRetry={() => profiled.refetch()} />}
        {profiled.isPending && <Loader size="sm" m="md" role="status" aria-label="Loading" />}
        {profiled.data?.length === 0 && (
          <EmptyState
            icon={IconChartBar}
            title="No profiles yet"
            code={`posting = Registry["resize"].post_work(calls, profile=0.1)  # the share that is measured`}
          >
            A tenth of all executions of a posted function is measured unless you say otherwise. Run a posting
            with `workroom pool`, and its profile is here.
          </EmptyState>
        )}
        {profiled.data && profiled.data.length > 0 && (
          <Table.ScrollContainer minWidth={760}>
            <Table highlightOnHover verticalSpacing={9} aria-label="Profiled functions">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Function</Table.Th>
                  <Table.Th ta="right">Time</Table.Th>
                  <Table.Th ta="right">Executions</Table.Th>
                  <Table.Th ta="right">Each</Table.Th>
                  <Table.Th ta="right">Calls</Table.Th>
                  <Table.Th>Versions</Table.Th>
                  <Table.Th>Machines</Table.Th>
                  <Table.Th>Last</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {profiled.data.map((one) => (
                  <Table.Tr key={one.function}>
                    <Table.Td>
                      <Link to="/profiles/$function" params={{ function: one.function }} className="plain">
                        <Text span fw={600} size="sm">
                          {one.function}
                        </Text>
                      </Link>
                    </Table.Td>
                    <Table.Td ta="right" className="numbers">
                      {duration(one.totalMs)}
                    </Table.Td>
                    <Table.Td ta="right" className="numbers">
                      {count(one.executions)}
                    </Table.Td>
                    <Table.Td ta="right" className="numbers">
                      {one.executions ? fineDuration(one.totalMs / one.executions) : "–"}
                    </Table.Td>
                    <Table.Td ta="right" className="numbers">
                      {count(one.calls, true)}
                    </Table.Td>
                    <Table.Td>
                      <NameList names={one.codeVersions} />
                    </Table.Td>
                    <Table.Td>
                      <NameList names={one.machines} />
                    </Table.Td>
                    <Table.Td c="dimmed">
                      <RelativeTime at={one.lastAt} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Paper>
    </Page>
  );
}

function NameList({ names }: { names: string[] }) {
  return (
    <Group gap={4}>
      {names.slice(0, 2).map((name) => (
        <Badge key={name} size="sm" color="gray" maw={140}>
          {name}
        </Badge>
      ))}
      {names.length > 2 && (
        <Text size="xs" c="dimmed">
          +{names.length - 2}
        </Text>
      )}
    </Group>
  );
}
