import { Group, Stack, Text } from "@mantine/core";
import { JobSummaryCard } from "@/components/JobSummaryCard";
import { AnchorLink } from "@/components/RouterLinks";
import { useJobs } from "@/live/queries";

const MAX_JOBS = 5;

/** The latest jobs of this extension in this room. */
export function ExtensionHistory({ room, category, name }: { room: string; category: string; name: string }) {
  const jobs = useJobs({ room }, { category, name }, 20);
  const items = jobs.data?.pages[0]?.items.slice(0, MAX_JOBS) ?? [];
  if (!items.length) return null;
  return (
    <Stack gap={4} mt={4} data-testid="history">
      <Group justify="space-between">
        <Text size="xs" fw={620} c="dimmed">
          Recent jobs
        </Text>
        <AnchorLink to="/rooms/$room/jobs" params={{ room }} search={{ category, name }} size="xs">
          All
        </AnchorLink>
      </Group>
      {items.map((job) => (
        <JobSummaryCard key={job.jobId} job={job} />
      ))}
    </Stack>
  );
}
