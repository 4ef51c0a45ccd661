// One posting: how far it is, how fast, what came out, what failed.
import { Box, Button, Group, Loader, Paper, SimpleGrid, Stack, Table, Tabs, Text } from "@mantine/core";
import {
  IconChartBar,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
} from "@tabler/icons-react";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { CodeBlock } from "@/components/CodeBlock";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { Page } from "@/components/Page";
import { RelativeTime } from "@/components/RelativeTime";
import { AnchorLink } from "@/components/RouterLinks";
import { StateBadge } from "@/components/StateBadge";
import { ValueView } from "@/components/ValueView";
import { count, duration, plural } from "@/lib/format";
import { notify } from "@/lib/notifications";
import { useTimeSeries } from "@/lib/timeSeries";
import { useNow } from "@/lib/useNow";
import { useJoinRoom } from "@/live/roomMembership";
import { PostingBar } from "./PostingBar";
import { PostingStatus } from "./PostingsPage";
import {
  isOpen,
  type JobFailure,
  type Posting,
  useFailures,
  usePostedJobs,
  usePosting,
  usePostingCommand,
  useResults,
  useRetryFailed,
} from "./queries";
import { SweepGrid } from "./SweepGrid";

const LineChart = lazy(() => import("@/components/LineChart"));
const MAX_GRID_JOBS = 2_000;

export default function PostingPage() {
  const { posting: id } = useParams({ strict: false }) as { posting: string };
  const posting = usePosting(id);
  if (posting.error) return <ErrorAlert error={posting.error} onRetry={() => posting.refetch()} />;
  if (!posting.data) return <Loader size="sm" m="xl" role="status" aria-label="Loading" />;
  const { room } = posting.data;
  return room === null ? (
    <PostingDetails posting={posting.data} key={id} />
  ) : (
    <PostingInRoom posting={posting.data} room={room} key={id} />
  );
}

/** Events of a posting are told to whoever posted it, and in its room. */
function PostingInRoom({ posting, room }: { posting: Posting; room: string }) {
  useJoinRoom(room);
  return <PostingDetails posting={posting} />;
}

function PostingDetails({ posting: one }: { posting: Posting }) {
  // Whole seconds: a point for each, whether or not something was told meanwhile.
  const second = Math.floor(useNow(isOpen(one) ? 1_000 : 0) / 1_000) * 1_000;
  const series = useTimeSeries(isOpen(one) ? [one.rate ?? 0] : undefined, second, 3_600);
  const isSweep = one.scope !== "function";
  return (
    <Page
      title={one.label ? `${one.name}: ${one.label}` : one.name}
      subtitle={
        <Group gap={8}>
          <PostingStatus status={one.status} />
          <span>
            {isSweep ? "a sweep" : "a function"}
            {one.room && (
              <>
                {" in "}
                <Link to="/rooms/$room" params={{ room: one.room }} className="plain">
                  <b>{one.room}</b>
                </Link>
              </>
            )}
            {one.user && ` · by ${one.user}`} · <RelativeTime at={one.createdAt} />
          </span>
        </Group>
      }
      actions={<PostingButtons posting={one} />}
    >
      <Stack gap="md">
        <Paper className="surface" p="md" radius="md">
          <PostingBar posting={one} size={12} />
          <SimpleGrid cols={{ base: 3, sm: 6 }} mt="md">
            <Statistic name="Jobs" value={count(one.total)} />
            <Statistic name="Finished" value={count(one.completed)} testId="figure-finished" />
            <Statistic
              name="Failed"
              value={count(one.failed)}
              colour={one.failed ? "var(--wr-wrong)" : undefined}
            />
            <Statistic name="At workers" value={count(one.active ?? 0)} />
            <Statistic
              name={isOpen(one) ? "Rate" : "Mean rate"}
              value={one.rate === null ? "–" : `${count(Math.round(one.rate * 10) / 10, true)}/s`}
            />
            <Statistic
              name={isOpen(one) ? "Through in about" : "Took"}
              value={
                one.finishedAt
                  ? duration(Date.parse(one.finishedAt) - Date.parse(one.createdAt))
                  : one.etaSeconds === null
                    ? "–"
                    : duration(one.etaSeconds * 1000)
              }
            />
          </SimpleGrid>
        </Paper>
        {series.times.length > 2 && (
          <Paper className="surface" p="md" radius="md">
            <Text size="sm" fw={600} mb="xs">
              Jobs a second, since this page was opened
            </Text>
            <Suspense>
              <LineChart
                label="Jobs a second"
                lines={[{ label: "rate", colour: "--wr-running", fill: true }]}
                times={series.times}
                values={series.values}
              />
            </Suspense>
          </Paper>
        )}
        <PostingTabs posting={one} isSweep={isSweep} />
      </Stack>
    </Page>
  );
}

function Statistic({
  name,
  value,
  colour,
  testId,
}: {
  name: string;
  value: ReactNode;
  colour?: string;
  testId?: string;
}) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text size="lg" fw={600} className="numbers" c={colour} data-testid={testId}>
        {value}
      </Text>
    </div>
  );
}

function PostingButtons({ posting }: { posting: Posting }) {
  const act = usePostingCommand(posting.postingId);
  const retry = useRetryFailed(posting.postingId);
  const navigate = useNavigate();
  return (
    <>
      {posting.scope === "function" && (
        <Button
          variant="default"
          leftSection={<IconChartBar size={15} />}
          onClick={() => void navigate({ to: "/profiles/$function", params: { function: posting.name } })}
        >
          Profile
        </Button>
      )}
      {posting.status === "executing" && (
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={15} />}
          loading={act.isPending}
          onClick={() => act.mutate("pause")}
        >
          Pause
        </Button>
      )}
      {posting.status === "paused" && (
        <Button
          leftSection={<IconPlayerPlay size={15} />}
          loading={act.isPending}
          onClick={() => act.mutate("resume")}
        >
          Resume
        </Button>
      )}
      {isOpen(posting) && (
        <Button
          color="red"
          variant="light"
          leftSection={<IconPlayerStop size={15} />}
          loading={act.isPending}
          onClick={() => act.mutate("cancel")}
        >
          Cancel
        </Button>
      )}
      {posting.failed > 0 && (
        <Button
          variant={isOpen(posting) ? "default" : "filled"}
          leftSection={<IconRefresh size={15} />}
          loading={retry.isPending}
          onClick={() =>
            retry.mutate(undefined, {
              onSuccess: ({ posting: made }) => {
                if (!made) return notify("None of its jobs has failed.");
                void navigate({ to: "/postings/$posting", params: { posting: made.postingId } });
              },
            })
          }
        >
          Retry failed
        </Button>
      )}
    </>
  );
}

function FailureRow({ failure: { position, jobId, attempts, error } }: { failure: JobFailure }) {
  return (
    <Box pl="sm" style={{ borderLeft: "3px solid var(--wr-failed)" }}>
      <Text size="sm" fw={600} c="var(--wr-wrong)" style={{ overflowWrap: "anywhere" }}>
        {error.type}: {error.message}
      </Text>
      <Text size="xs" c="dimmed" mb={6}>
        <AnchorLink to="/jobs/$job" params={{ job: jobId }} size="xs">
          job {position}
        </AnchorLink>
        , after {plural(attempts, "attempt")}
      </Text>
      {error.traceback && <CodeBlock code={error.traceback} maxHeight={180} />}
    </Box>
  );
}

function PostingTabs({ posting, isSweep }: { posting: Posting; isSweep: boolean }) {
  const gridFits = posting.total <= MAX_GRID_JOBS;
  const [part, setPart] = useState<string | null>(isSweep && gridFits ? "grid" : "results");
  const jobs = usePostedJobs(posting, MAX_GRID_JOBS, part === "grid");
  const results = useResults(posting, part === "results");
  const failures = useFailures(posting, part === "failures");
  return (
    <Paper className="surface" radius="md">
      <Tabs value={part} onChange={setPart} keepMounted={false}>
        <Tabs.List px="sm">
          {isSweep && gridFits && <Tabs.Tab value="grid">Grid</Tabs.Tab>}
          <Tabs.Tab value="results">Results</Tabs.Tab>
          <Tabs.Tab
            value="failures"
            rightSection={
              posting.failed ? (
                <Text size="xs" c="var(--wr-wrong)">
                  {count(posting.failed)}
                </Text>
              ) : null
            }
          >
            Failures
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="grid" p="md">
          {jobs.data ? <SweepGrid jobs={jobs.data} /> : <Loader size="sm" />}
        </Tabs.Panel>
        <Tabs.Panel value="results" p="md">
          {results.error && <ErrorAlert error={results.error} />}
          {results.data && (
            <Table aria-label="Results">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w={70}>#</Table.Th>
                  <Table.Th w={120}>State</Table.Th>
                  <Table.Th>Result</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {results.data.pages
                  .flatMap((page) => page.items)
                  .map((row) => (
                    <Table.Tr key={row.position}>
                      <Table.Td className="numbers">
                        <AnchorLink to="/jobs/$job" params={{ job: row.jobId }} size="sm">
                          {row.position}
                        </AnchorLink>
                      </Table.Td>
                      <Table.Td>
                        <StateBadge state={row.status} />
                      </Table.Td>
                      <Table.Td>
                        {row.error ? (
                          <Text size="sm" c="var(--wr-wrong)">
                            {row.error.type}: {row.error.message}
                          </Text>
                        ) : row.status === "completed" ? (
                          <ValueView value={row.result} depth={1} />
                        ) : null}
                      </Table.Td>
                    </Table.Tr>
                  ))}
              </Table.Tbody>
            </Table>
          )}
          {results.hasNextPage && (
            <Group justify="center" mt="sm">
              <Button
                variant="default"
                loading={results.isFetchingNextPage}
                onClick={() => results.fetchNextPage()}
              >
                More
              </Button>
            </Group>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="failures" p="md">
          {failures.data && !failures.data.items.length && (
            <Text size="sm" c="dimmed">
              Nothing has failed.
            </Text>
          )}
          <Stack gap="sm">
            {failures.data?.items.map((one) => (
              <FailureRow key={one.position} failure={one} />
            ))}
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Paper>
  );
}
