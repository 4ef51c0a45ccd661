// Everything about one job.
import { Badge, Box, Button, Grid, Group, Loader, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconBrandPython, IconPlayerStop, IconRefresh } from "@tabler/icons-react";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { CodeBlock } from "@/components/CodeBlock";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { JobTimelineBar } from "@/components/JobTimelineBar";
import { Page } from "@/components/Page";
import { RelativeTime } from "@/components/RelativeTime";
import { AnchorLink } from "@/components/RouterLinks";
import { StateBadge } from "@/components/StateBadge";
import { ValueView } from "@/components/ValueView";
import { duration, moment } from "@/lib/format";
import { runSnippet } from "@/lib/jobs/pythonSnippet";
import { queuePosition, waitReason } from "@/lib/jobs/waitReason";
import type { JobDetail } from "@/live/jobPatches";
import { useCancelJob, useJob, useJobLogs, useRetryJob } from "@/live/queries";
import { useJoinRoom } from "@/live/roomMembership";
import { JobChanges } from "./JobChanges";
import { LogView } from "./LogView";

export default function JobPage() {
  const { job: id } = useParams({ strict: false }) as { job: string };
  const job = useJob(id);
  if (job.error) return <ErrorAlert error={job.error} onRetry={() => job.refetch()} />;
  if (!job.data) return <Loader size="sm" m="xl" role="status" aria-label="Loading" />;
  return job.data.room === null ? (
    <JobDetails job={job.data} />
  ) : (
    <JobInRoom job={job.data} room={job.data.room} />
  );
}

/** Events of a job are told in its room. */
function JobInRoom({ job, room }: { job: JobDetail; room: string }) {
  useJoinRoom(room);
  return <JobDetails job={job} />;
}

function JobDetails({ job }: { job: JobDetail }) {
  const logs = useJobLogs(job.jobId);
  const [python, setPython] = useState(false);
  const waits = [queuePosition(job), waitReason(job)].filter(Boolean);
  return (
    <Page
      title={job.name}
      subtitle={
        <Group gap={8}>
          <StateBadge state={job.status} cancelling={job.cancelling} />
          <span>
            {job.category}
            {job.room !== null && (
              <>
                {" in "}
                <Link to="/rooms/$room" params={{ room: job.room }} className="plain">
                  <b>{job.room}</b>
                </Link>
              </>
            )}
            {job.user && ` · by ${job.user}`} · <RelativeTime at={job.createdAt} />
          </span>
        </Group>
      }
      actions={<JobButtons job={job} python={() => setPython(!python)} />}
    >
      <Stack gap="md">
        <Section>
          <JobTimelineBar job={job} />
          {job.status === "running" && job.progress?.message && (
            <Text size="sm" mt="sm">
              {job.progress.message}
            </Text>
          )}
          {waits.length > 0 && (
            <Text size="sm" mt="sm" c="dimmed" data-testid="waiting">
              {waits.join(". ")}
            </Text>
          )}
        </Section>
        {python && job.room !== null && (
          <CodeBlock
            label="Python"
            code={runSnippet({
              room: job.room,
              url: location.origin,
              category: job.category,
              name: job.name,
              data: (job.data ?? {}) as Record<string, unknown>,
            })}
          />
        )}
        {job.error && (
          <Paper
            className="surface"
            p="md"
            radius="md"
            style={{ borderLeft: "4px solid var(--wr-failed)" }}
            role="alert"
          >
            <Group gap={8} wrap="nowrap" align="flex-start" c="var(--wr-failed)">
              <IconAlertTriangle size={18} style={{ flex: "none", marginTop: 1 }} aria-hidden />
              <Text fw={600} style={{ overflowWrap: "anywhere" }}>
                {job.error.type}: {job.error.message}
              </Text>
            </Group>
            {job.error.reason && (
              <Text size="sm" mt={4}>
                {reasonLabel(job.error.reason)}
              </Text>
            )}
            {job.error.traceback && (
              <Box mt="sm">
                <CodeBlock code={job.error.traceback} label="Traceback" maxHeight={360} />
              </Box>
            )}
          </Paper>
        )}
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Section title="Input">
              <ValueView value={job.data} />
            </Section>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Section title="Output">
              {job.status === "completed" ? (
                <ValueView value={job.result} />
              ) : (
                <Text size="sm" c="dimmed">
                  {job.finishedAt === null ? "Not yet." : "None."}
                </Text>
              )}
            </Section>
          </Grid.Col>
        </Grid>
        <Section title="Printed">
          {logs.data ? <LogView lines={logs.data} height={320} /> : <Loader size="xs" />}
        </Section>
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Section title="Times">
              <JobTimes job={job} />
            </Section>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Section title={job.attempts.length ? `Attempts: ${job.attempts.length + 1}` : "Attempt"}>
              <JobAttempts job={job} />
            </Section>
          </Grid.Col>
        </Grid>
        {job.room !== null && <JobChanges room={job.room} jobId={job.jobId} />}
      </Stack>
    </Page>
  );
}

const REASONS: Record<string, string> = {
  worker_lost: "Its worker was lost while it ran.",
  timeout: "It took longer than it may.",
  poison: "It took its worker down too often.",
};
const reasonLabel = (reason: string) => REASONS[reason] ?? reason.replaceAll("_", " ");

function Section({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <Paper className="surface" p="md" radius="md" h="100%">
      {title && (
        <Title order={2} size="h4" mb="xs">
          {title}
        </Title>
      )}
      {children}
    </Paper>
  );
}

function JobButtons({ job, python }: { job: JobDetail; python: () => void }) {
  const cancel = useCancelJob();
  const retry = useRetryJob();
  const navigate = useNavigate();
  return (
    <>
      {job.room !== null && (
        <Button variant="default" leftSection={<IconBrandPython size={15} />} onClick={python}>
          As Python
        </Button>
      )}
      {job.finishedAt === null ? (
        <Button
          color="red"
          variant="light"
          leftSection={<IconPlayerStop size={15} />}
          disabled={job.cancelling}
          loading={cancel.isPending}
          onClick={() => cancel.mutate(job)}
        >
          {job.cancelling ? "Cancelling …" : "Cancel"}
        </Button>
      ) : (
        <Button
          leftSection={<IconRefresh size={15} />}
          loading={retry.isPending}
          onClick={() =>
            retry.mutate(job, {
              onSuccess: ({ jobId }) => jobId && void navigate({ to: "/jobs/$job", params: { job: jobId } }),
            })
          }
        >
          Run once more
        </Button>
      )}
    </>
  );
}

function JobTimes({ job }: { job: JobDetail }) {
  const rows: [string, ReactNode][] = [
    ["Submitted", moment(job.createdAt)],
    ["Assigned", job.assignedAt && moment(job.assignedAt)],
    ["Started", job.startedAt && moment(job.startedAt)],
    ["Ended", job.finishedAt && moment(job.finishedAt)],
    ["Waited", job.waitTimeMs !== null && duration(job.waitTimeMs)],
    ["Ran", job.executionTimeMs !== null && duration(job.executionTimeMs)],
    ["May run for", job.timeoutSeconds !== null && duration(job.timeoutSeconds * 1000)],
    ["Priority", job.priority],
    ["Tries left", job.triesLeft],
    [
      "Retry of",
      job.retryOf && (
        <Link key="retry" to="/jobs/$job" params={{ job: job.retryOf }}>
          the job before
        </Link>
      ),
    ],
    [
      "Posting",
      job.postingId && (
        <Link key="posting" to="/postings/$posting" params={{ posting: job.postingId }}>
          all its jobs
        </Link>
      ),
    ],
    [
      "Job",
      <Text key="id" span size="xs" ff="monospace">
        {job.jobId}
      </Text>,
    ],
  ];
  return (
    <Table withRowBorders={false} verticalSpacing={3} horizontalSpacing={0}>
      <Table.Tbody>
        {rows
          .filter(([, value]) => value !== null && value !== false && value !== undefined)
          .map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Td c="dimmed" w={120}>
                {name}
              </Table.Td>
              <Table.Td className="numbers">{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}

function JobAttempts({ job }: { job: JobDetail }) {
  const worker = (id: string | null) =>
    id && (
      <AnchorLink to="/workers" size="xs" ff="monospace">
        worker {id.slice(-6)}
      </AnchorLink>
    );
  return (
    <Stack gap="xs">
      {job.attempt > 0 && (
        <Group gap="xs">
          <Badge size="sm">{job.attempt}</Badge>
          <StateBadge state={job.status} />
          {worker(job.workerId)}
        </Group>
      )}
      {job.attempt === 0 && (
        <Text size="sm" c="dimmed">
          No worker has had it yet.
        </Text>
      )}
      {job.attempts.toReversed().map((one) => (
        <Box key={one.attempt}>
          <Group gap="xs">
            <Badge size="sm" color="gray">
              {one.attempt}
            </Badge>
            <Text size="sm">{reasonLabel(one.reason)}</Text>
            {worker(one.workerId)}
            <Text size="xs" c="dimmed">
              <RelativeTime at={one.endedAt} />
            </Text>
          </Group>
          {one.error && (
            <Text size="xs" c="var(--wr-wrong)" style={{ overflowWrap: "anywhere" }}>
              {one.error.type}: {one.error.message}
            </Text>
          )}
        </Box>
      ))}
    </Stack>
  );
}
