// The attempts of a job, newest first.
import { Badge, Box, Group, Stack, Text } from "@mantine/core";
import { StateBadge } from "@/components/jobs/StateBadge";
import { RelativeTime } from "@/components/RelativeTime";
import { AnchorLink } from "@/components/RouterLinks";
import type { JobDetail } from "@/live/jobs/jobPatches";
import { attemptLabel } from "./failureReason";
export function JobAttempts({ job }: { job: JobDetail }) {
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
          The job has not been assigned yet.
        </Text>
      )}
      {job.attempts.toReversed().map((one) => (
        <Box key={one.attempt}>
          <Group gap="xs">
            <Badge size="sm" color="gray">
              {one.attempt}
            </Badge>
            <Text size="sm">{attemptLabel(one)}</Text>
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
