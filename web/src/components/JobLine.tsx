import { Group, Text } from "@mantine/core";
import { JobBar } from "@/components/JobBar";
import { CardLink } from "@/components/links";
import { STATE_WORDS } from "@/components/StateBadge";
import { When } from "@/components/When";
import type { Schemas } from "@/lib/api";
import { duration } from "@/lib/format";

/** A job in one line: how it went, when, and how long it took. */
export function JobLine({ job }: { job: Schemas["JobBrief"] }) {
  const running = job.finishedAt === null;
  return (
    <CardLink to="/jobs/$job" params={{ job: job.jobId }} p={6}>
      <JobBar job={job} thin />
      <Group justify="space-between" gap={6} mt={4} wrap="nowrap">
        <Text size="xs" truncate>
          {running && job.progress?.message ? job.progress.message : (STATE_WORDS[job.status] ?? job.status)}
        </Text>
        <Text size="xs" c="dimmed" className="numbers" style={{ whiteSpace: "nowrap" }}>
          {job.executionTimeMs !== null && `${duration(job.executionTimeMs)} · `}
          <When at={job.createdAt} />
        </Text>
      </Group>
    </CardLink>
  );
}
