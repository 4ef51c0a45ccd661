import { Badge, Group, Loader, Paper, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useRef } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { EndedJobsCharts } from "@/components/jobs/EndedJobsCharts";
import { StateDot } from "@/components/jobs/StateBadge";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { count, duration, plural } from "@/lib/format";
import { useTimeSeries } from "@/lib/timeSeries";
import { QueueAdjustButton } from "./QueueAdjustButton";
import { QueuePauseButton } from "./QueuePauseButton";

const LineChart = lazy(() => import("@/components/charts/LineChart"));
const REFETCH_MS = 1_000;

export default function QueuesTab() {
  const queues = useQuery({
    queryKey: queryKeys.admin("queues"),
    refetchInterval: REFETCH_MS,
    queryFn: async ({ signal }) => (await api.GET("/api/admin/queues", { signal })).data!,
  });
  const jobs = queues.data?.jobs;
  const before = useRef<{ at: number; ended: number } | null>(null);
  const rate = useRef<number | null>(null);
  if (jobs && before.current?.at !== queues.dataUpdatedAt) {
    const ended = (jobs.completed ?? 0) + (jobs.failed ?? 0) + (jobs.cancelled ?? 0);
    const last = before.current;
    rate.current = last
      ? Math.max(0, ended - last.ended) / Math.max(0.001, (queues.dataUpdatedAt - last.at) / 1000)
      : null;
    before.current = { at: queues.dataUpdatedAt, ended };
  }
  const waiting = useTimeSeries(jobs && [jobs.pending ?? 0, jobs.active ?? 0], queues.dataUpdatedAt);
  const throughput = useTimeSeries(jobs && [rate.current], queues.dataUpdatedAt);
  if (queues.isLoadingError) return <ErrorAlert error={queues.error} onRetry={() => queues.refetch()} />;
  if (!queues.data) return <Loader size="sm" role="status" aria-label="Loading" />;
  const workers = Object.entries(queues.data.workers);
  const figures: [string, string, number][] = [
    ["Waiting", "pending", jobs?.pending ?? 0],
    ["At workers", "running", jobs?.active ?? 0],
    ["Blocked", "blocked", jobs?.blocked ?? 0],
    ["Finished", "completed", jobs?.completed ?? 0],
    ["Failed", "failed", jobs?.failed ?? 0],
    ["Cancelled", "cancelled", jobs?.cancelled ?? 0],
  ];
  return (
    <Stack gap="md">
      <Paper className="surface" p="md" radius="md">
        <SimpleGrid cols={{ base: 3, sm: 6 }}>
          {figures.map(([name, state, value]) => (
            <div key={name}>
              <Group gap={6}>
                <StateDot state={state} />
                <Text size="xs" c="dimmed">
                  {name}
                </Text>
              </Group>
              <Text size="lg" fw={600} className="numbers">
                {count(value)}
              </Text>
            </div>
          ))}
        </SimpleGrid>
        <Text size="xs" c="dimmed" mt="sm">
          Workers online:{" "}
          {workers.length ? workers.map(([kind, number]) => `${number} ${kind}`).join(", ") : "none"}
        </Text>
      </Paper>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Paper className="surface" p="md" radius="md">
          <Text size="sm" fw={600} mb="xs">
            Waiting and at workers
          </Text>
          <Suspense>
            <LineChart
              label="Jobs waiting and at workers"
              height={150}
              lines={[
                { label: "waiting", colour: "--wr-pending", fill: true },
                { label: "at workers", colour: "--wr-running" },
              ]}
              times={waiting.times}
              values={waiting.values}
            />
          </Suspense>
        </Paper>
        <Paper className="surface" p="md" radius="md">
          <Text size="sm" fw={600} mb="xs">
            Finished jobs per second
          </Text>
          <Suspense>
            <LineChart
              label="Finished jobs per second"
              height={150}
              lines={[{ label: "ended", colour: "--wr-completed", fill: true }]}
              times={throughput.times}
              values={throughput.values}
            />
          </Suspense>
        </Paper>
      </SimpleGrid>
      <Paper className="surface" p="md" radius="md">
        <EndedJobsCharts />
      </Paper>
      <Paper className="surface" radius="md">
        <Table.ScrollContainer minWidth={720}>
          <Table highlightOnHover aria-label="Queues">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Extension or function</Table.Th>
                <Table.Th>Where</Table.Th>
                <Table.Th ta="right">Waiting</Table.Th>
                <Table.Th ta="right">At workers</Table.Th>
                <Table.Th ta="right">Finished</Table.Th>
                <Table.Th ta="right">Failed</Table.Th>
                <Table.Th ta="right">Takes</Table.Th>
                <Table.Th ta="right">Workers</Table.Th>
                <Table.Th aria-label="Control" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {queues.data.items.map((one) => (
                <Table.Tr key={`${one.scope} ${one.room} ${one.category}/${one.name}`}>
                  <Table.Td>
                    <Text span size="sm" fw={560}>
                      {one.name}
                    </Text>{" "}
                    <Text span size="xs" c="dimmed">
                      {one.category}
                    </Text>
                    {one.breakersOpen > 0 && (
                      <Badge size="xs" color="red" ml={6}>
                        {plural(one.breakersOpen, "open breaker")}
                      </Badge>
                    )}
                    {one.paused && (
                      <Badge size="xs" color="yellow" ml={6}>
                        paused
                      </Badge>
                    )}
                  </Table.Td>
                  <Table.Td>{one.scope === "room" ? one.room : one.scope}</Table.Td>
                  <Table.Td ta="right" className="numbers">
                    {count(one.pendingJobs)}
                  </Table.Td>
                  <Table.Td ta="right" className="numbers">
                    {count(one.activeJobs)}
                  </Table.Td>
                  <Table.Td ta="right" className="numbers">
                    {count(one.completedJobs)}
                  </Table.Td>
                  <Table.Td ta="right" className="numbers" c={one.failedJobs ? "var(--wr-wrong)" : undefined}>
                    {count(one.failedJobs)}
                  </Table.Td>
                  <Table.Td ta="right" className="numbers">
                    {duration(one.meanRunMs)}
                  </Table.Td>
                  <Table.Td ta="right" className="numbers">
                    {one.idleWorkers + one.busyWorkers}
                  </Table.Td>
                  <Table.Td>
                    <Group gap={2} wrap="nowrap">
                      <QueuePauseButton queue={one} />
                      <QueueAdjustButton queue={one} />
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
    </Stack>
  );
}
