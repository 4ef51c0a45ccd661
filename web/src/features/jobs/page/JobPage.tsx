// The page of one job: timeline, input, output, log, times, attempts and changes.
import { Box, Grid, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { CodeBlock } from "@/components/CodeBlock";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { StateBadge } from "@/components/jobs/StateBadge";
import { NotFound } from "@/components/NotFound";
import { Page } from "@/components/Page";
import { RelativeTime } from "@/components/RelativeTime";
import { ValueView } from "@/components/ValueView";
import { isNotFound, isUuid } from "@/lib/api/client";
import type { Graph } from "@/lib/jobs/graphLayout";
import { runSnippet } from "@/lib/jobs/pythonSnippet";
import { queuePosition, waitReason } from "@/lib/jobs/waitReason";
import { readable } from "@/lib/readablePythonValues";
import { serverUrl } from "@/lib/rootPath";
import type { JobDetail } from "@/live/jobs/jobPatches";
import { useExtensions, useJob, useJobGraph, useJobLogs } from "@/live/queries";
import { useJoinRoom } from "@/live/room/roomMembership";
import { CancelNote } from "../CancelNote";
import { reasonLabel } from "./failureReason";
import { JobAttempts } from "./JobAttempts";
import { JobButtons } from "./JobButtons";
import { JobChanges } from "./JobChanges";
import { JobGraph } from "./JobGraph";
import { JobLog } from "./JobLog";
import { JobTimeline } from "./JobTimeline";
import { JobTimes } from "./JobTimes";
import { shownInput } from "./jobInput";
export default function JobPage() {
  const { job: id } = useParams({ from: "/in/jobs/$job" });
  const job = useJob(id, isUuid(id));
  if (!isUuid(id) || isNotFound(job.error))
    return <NotFound>There is no job {id}, or it is in a room that you may not read.</NotFound>;
  if (job.isLoadingError) return <ErrorAlert error={job.error} onRetry={() => job.refetch()} />;
  if (!job.data) return <Loader size="sm" m="xl" role="status" aria-label="Loading" />;
  return job.data.room === null ? (
    <JobDetails job={job.data} />
  ) : (
    <JobInRoom job={job.data} room={job.data.room} />
  );
}

/** Joins the room of the job, because job events are sent to the room. */
function JobInRoom({ job, room }: { job: JobDetail; room: string }) {
  useJoinRoom(room);
  return <JobDetails job={job} />;
}

function JobDetails({ job }: { job: JobDetail }) {
  const logs = useJobLogs(job.jobId);
  const graph = useJobGraph(job);
  const unblockedAt = lastEnd(graph.data, job.jobId);
  const [python, setPython] = useState(false);
  const extensions = useExtensions(job.room ?? "", job.room !== null);
  const { scope, category, name } = job;
  const extension = extensions.data?.find(
    (one) => one.scope === scope && one.category === category && one.name === name,
  );
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
      actions={
        <JobButtons
          job={job}
          python={() => setPython(!python)}
          input={extension && shownInput(job.data, extension.schema)}
        />
      }
    >
      <Stack gap="md">
        <Section>
          <JobTimeline job={job} unblockedAt={unblockedAt} />
          {job.status === "running" && job.progress?.message && (
            <Text size="sm" mt="sm">
              {job.progress.message}
            </Text>
          )}
          <CancelNote job={job} size="sm" />
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
              url: serverUrl,
              category: job.category,
              name: job.name,
              data: (shownInput(job.data, extension?.schema) ?? {}) as Record<string, unknown>,
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
              {extensions.isLoading ? (
                <Loader size="xs" role="status" aria-label="Loading" />
              ) : (
                <ValueView value={readable(shownInput(job.data, extension?.schema, "(hidden)"))} />
              )}
            </Section>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Section title="Output">
              {job.status === "completed" ? (
                <ValueView value={readable(job.result)} />
              ) : (
                <Text size="sm" c="dimmed">
                  {job.finishedAt === null ? "Not yet." : "None."}
                </Text>
              )}
            </Section>
          </Grid.Col>
        </Grid>
        {graph.data && graph.data.edges.length > 0 && (
          <Section title="Dependencies">
            <JobGraph graph={graph.data} jobId={job.jobId} />
          </Section>
        )}
        <Section title="Log">
          {logs.data ? <JobLog jobId={job.jobId} lines={logs.data} /> : <Loader size="xs" />}
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

/** When the last thing that a job needed had ended; null when it needed nothing, or still waits. */
function lastEnd(graph: Graph | undefined, jobId: string): string | null {
  const ends = graph?.edges.filter((edge) => edge.jobId === jobId).map((edge) => edge.endedAt) ?? [];
  return ends.some((end) => end === null) ? null : (ends.sort().at(-1) ?? null);
}

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
