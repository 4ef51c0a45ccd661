// The job that was submitted from the page of a form: its progress, and then its result or error.
import { Alert, Group, Paper, Progress, Stack, Text } from "@mantine/core";
import { StateBadge } from "@/components/jobs/StateBadge";
import { AnchorLink } from "@/components/RouterLinks";
import { ValueView } from "@/components/ValueView";
import { readable } from "@/lib/readablePythonValues";
import { JobChangeLinks } from "@/live/jobs/JobChangeLinks";
import { useJob, useJobChanges } from "@/live/queries";

export function FormResult({ room, job: id }: { room: string; job: string }) {
  const changed = useJobChanges(room);
  const { data: job } = useJob(id);
  if (!job) return null;
  return (
    <Paper withBorder p="sm" radius="md" data-testid="form-result" aria-live="polite">
      <Stack gap="xs">
        <Group justify="space-between">
          <StateBadge state={job.status} cancelling={job.cancelling} />
          <AnchorLink to="/jobs/$job" params={{ job: id }} size="xs">
            All about this job
          </AnchorLink>
        </Group>
        {job.finishedAt === null && (
          <>
            {job.progress?.fraction != null && <Progress value={job.progress.fraction * 100} size="sm" />}
            <Text size="xs" c="dimmed">
              {job.progress?.message || job.waitingText || "Working …"}
            </Text>
          </>
        )}
        {job.status === "completed" && <ValueView value={readable(job.result)} />}
        <JobChangeLinks room={room} job={job} change={changed.get(id)} />
        {job.error && (
          <Alert color="red" p="xs" title={job.error.type}>
            <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
              {job.error.message}
            </Text>
          </Alert>
        )}
      </Stack>
    </Paper>
  );
}
