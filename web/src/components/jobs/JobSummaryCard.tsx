import { Group, Text } from "@mantine/core";
import { JobOutcome } from "@/components/jobs/JobOutcome";
import { JobTimelineBar } from "@/components/jobs/JobTimelineBar";
import { STATE_LABELS } from "@/components/jobs/StateBadge";
import { RelativeTime } from "@/components/RelativeTime";
import { CardLink } from "@/components/RouterLinks";
import { duration } from "@/lib/format";
import type { ListedJob } from "@/lib/jobs/job";

/** A job as a small card: state, submission time, duration and outcome. */
export function JobSummaryCard({ job }: { job: ListedJob }) {
  const running = job.finishedAt === null;
  return (
    <CardLink to="/jobs/$job" params={{ job: job.jobId }} p={6}>
      <JobTimelineBar job={job} thin />
      <Group justify="space-between" gap={6} mt={4} wrap="nowrap">
        <Text size="xs" truncate>
          {running && job.progress?.message ? job.progress.message : (STATE_LABELS[job.status] ?? job.status)}
        </Text>
        <Text size="xs" c="dimmed" className="numbers" style={{ whiteSpace: "nowrap" }}>
          {job.executionTimeMs !== null && `${duration(job.executionTimeMs)} · `}
          <RelativeTime at={job.createdAt} />
        </Text>
      </Group>
      <JobOutcome job={job} />
    </CardLink>
  );
}
