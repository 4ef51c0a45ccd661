import { Group, Stack, Text } from "@mantine/core";
import { JobSummaryCard } from "@/components/jobs/JobSummaryCard";
import { AnchorLink } from "@/components/RouterLinks";
import { JobChangeLinks } from "@/live/jobs/JobChangeLinks";
import { useJob, useJobChanges, useJobs } from "@/live/queries";

const MAX_JOBS = 5;

interface Props {
  room: string;
  category: string;
  name: string;
  scope: string;
}

/** Extensions of other scopes may have the same name. */
function useLatestJobs({ room, category, name, scope }: Props) {
  const jobs = useJobs({ room }, { category, name }, 20).data?.pages[0]?.items ?? [];
  return jobs.filter((job) => job.scope === scope);
}

/** The latest jobs of this extension in this room, without the one that is shown beside the Run button. */
export function ExtensionHistory({ shown, ...of }: Props & { shown: string }) {
  const { room, category, name } = of;
  const changed = useJobChanges(room);
  const items = useLatestJobs(of)
    .filter(({ jobId }) => jobId !== shown)
    .slice(0, MAX_JOBS);
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
        <div key={job.jobId}>
          <JobSummaryCard job={job} />
          <JobChangeLinks room={room} job={job} change={changed.get(job.jobId)} />
        </div>
      ))}
    </Stack>
  );
}

/** The job that was submitted last from this form. It stays beside the Run button, whatever part of the form is in view. */
export function SubmittedJob({ job: id, ...of }: Props & { job: string }) {
  const changed = useJobChanges(of.room);
  const listed = useLatestJobs(of).find(({ jobId }) => jobId === id);
  const { data: detail } = useJob(id);
  // The list has a text of its result; a job with many newer ones is not in it.
  const job = listed ?? detail;
  if (!job) return null;
  return (
    <div data-testid="submitted" aria-live="polite">
      <JobSummaryCard job={job} />
      <JobChangeLinks room={of.room} job={job} change={changed.get(id)} />
    </div>
  );
}
