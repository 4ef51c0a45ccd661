import { Group, Text } from "@mantine/core";
import { JobTimelineBar } from "@/components/JobTimelineBar";
import { RelativeTime } from "@/components/RelativeTime";
import { CardLink } from "@/components/RouterLinks";
import { STATE_LABELS } from "@/components/StateBadge";
import type { Schemas } from "@/lib/api/client";
import { duration } from "@/lib/format";

/** A job in one line: how it went, when, and how long it took. */
export function JobSummaryCard({ job }: { job: Schemas["JobBrief"] }) {
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
    </CardLink>
  );
}
