// How many jobs ended over the last days, and how long they waited and ran.
import { Group, Loader, SegmentedControl, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { Line } from "@/components/charts/LineChart";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { count, duration } from "@/lib/format";
import { historySeries } from "@/lib/jobs/historySeries";

const LineChart = lazy(() => import("@/components/charts/LineChart"));
const REFETCH_MS = 30_000;
const DAYS = [
  { value: "1", label: "Day" },
  { value: "7", label: "Week" },
  { value: "30", label: "Month" },
  { value: "90", label: "Quarter" },
];
const ENDED: Line[] = [
  { label: "finished", colour: "--wr-completed", fill: true },
  { label: "failed", colour: "--wr-failed" },
];
const TIMES: Line[] = [
  { label: "half at most", colour: "--wr-running" },
  { label: "95 % at most", colour: "--wr-assigned" },
];

interface Which {
  /** All rooms if it is omitted. */
  room?: string;
  /** The jobs that this user submitted. */
  user?: string;
  category?: string;
  name?: string;
  search?: string;
}

export function EndedJobsCharts({ room, user, ...of }: Which) {
  const [days, setDays] = useState("7");
  const history = useQuery({
    queryKey: queryKeys.jobHistory({ room, user }, { ...of, days }),
    refetchInterval: REFETCH_MS,
    queryFn: async ({ signal }) => {
      const query = { ...of, days: Number(days) };
      if (room !== undefined)
        return (await api.GET("/api/rooms/{room}/job-history", { params: { path: { room }, query }, signal }))
          .data!;
      if (user !== undefined)
        return (
          await api.GET("/api/users/{id}/job-history", { params: { path: { id: user }, query }, signal })
        ).data!;
      return (await api.GET("/api/job-history", { params: { query }, signal })).data!;
    },
  });
  return (
    <Stack gap="sm" data-testid="job-history">
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          Ended jobs
        </Text>
        <SegmentedControl size="xs" aria-label="Time span" data={DAYS} value={days} onChange={setDays} />
      </Group>
      {history.isLoadingError && <ErrorAlert error={history.error} onRetry={() => history.refetch()} />}
      {history.isPending && <Loader size="xs" role="status" aria-label="Loading" />}
      {history.data && <Charts history={history.data} at={history.dataUpdatedAt} />}
    </Stack>
  );
}

function Charts({ history, at }: { history: Schemas["JobHistory"]; at: number }) {
  if (!history.items.length)
    return (
      <Text size="sm" c="dimmed">
        No job ended in this time.
      </Text>
    );
  const series = historySeries(history, at);
  const hours = history.stepSeconds / 3600;
  const per = hours === 1 ? "hour" : hours === 24 ? "day" : `${hours} hours`;
  return (
    <>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <Chart title={`Jobs per ${per}`} lines={ENDED}>
          <LineChart
            label={`Finished and failed jobs per ${per}`}
            height={140}
            days
            lines={ENDED}
            times={series.times}
            values={[series.completed, series.failed]}
          />
        </Chart>
        <Chart title="Run time" lines={TIMES}>
          <LineChart
            label="Run times of finished jobs"
            height={140}
            days
            unit=" s"
            lines={TIMES}
            times={series.times}
            values={series.runs}
          />
        </Chart>
        <Chart title="Waiting time" lines={TIMES}>
          <LineChart
            label="Waiting times of finished jobs"
            height={140}
            days
            unit=" s"
            lines={TIMES}
            times={series.times}
            values={series.waits}
          />
        </Chart>
      </SimpleGrid>
      <Table.ScrollContainer minWidth={520} mah={220} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table aria-label="Ended jobs by extension" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Extension or function</Table.Th>
              <Table.Th ta="right">Finished</Table.Th>
              <Table.Th ta="right">Failed</Table.Th>
              <Table.Th ta="right">Half ran at most</Table.Th>
              <Table.Th ta="right">95 % ran at most</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {history.extensions.map((one) => (
              <Table.Tr key={`${one.scope} ${one.category}/${one.name}`}>
                <Table.Td>
                  {one.name}{" "}
                  <Text span size="xs" c="dimmed">
                    {one.category}
                  </Text>
                </Table.Td>
                <Table.Td ta="right" className="numbers">
                  {count(one.completed)}
                </Table.Td>
                <Table.Td ta="right" className="numbers" c={one.failed ? "var(--wr-wrong)" : undefined}>
                  {count(one.failed)}
                </Table.Td>
                <Table.Td ta="right" className="numbers">
                  {duration(one.runP50Ms)}
                </Table.Td>
                <Table.Td ta="right" className="numbers">
                  {duration(one.runP95Ms)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}

function Chart({ title, lines, children }: { title: string; lines: Line[]; children: ReactNode }) {
  return (
    <div style={{ minWidth: 0 }}>
      <Text size="xs" fw={600}>
        {title}
      </Text>
      <Group gap="sm" mb={4}>
        {lines.map((line) => (
          <Group key={line.label} gap={4}>
            <span
              aria-hidden
              style={{ width: 8, height: 8, borderRadius: 4, background: `var(${line.colour})` }}
            />
            <Text size="xs" c="dimmed">
              {line.label}
            </Text>
          </Group>
        ))}
      </Group>
      <Suspense fallback={<div style={{ height: 140 }} />}>{children}</Suspense>
    </div>
  );
}
