// The room's jobs, live, in a panel.
import { Box, Collapse, Group, Loader, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconBolt, IconChevronRight, IconStack2 } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { EmptyState } from "@/components/EmptyState";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { JobTimelineBar } from "@/components/JobTimelineBar";
import { RelativeTime } from "@/components/RelativeTime";
import { AnchorLink, CardLink } from "@/components/RouterLinks";
import { StateBadge, StateDot } from "@/components/StateBadge";
import { duration } from "@/lib/format";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import type { JobBrief } from "@/live/jobPatches";
import { useJob, useJobLogs, useJobs } from "@/live/queries";
import { JobRowButtons } from "./JobRowButtons";
import classes from "./JobsPanel.module.css";
import { LogView } from "./LogView";
import { WaitReason } from "./WaitReason";

const FETCH_LIMIT = 60;
const MAX_WAITING = 5;
const MAX_ENDED = 20;
const RANK: Record<string, number> = { running: 0, assigned: 1, pending: 2, blocked: 3 };

/** Running jobs, the next waiting jobs and the latest finished jobs; the jobs of a posting share one entry. */
function groupJobs(items: JobBrief[]) {
  const postings = Map.groupBy(
    items.filter((job) => job.postingId !== null),
    (job) => job.postingId!,
  );
  const single = items.filter((job) => job.postingId === null);
  const active = single
    .filter((job) => job.finishedAt === null)
    .sort((a, b) => RANK[a.status]! - RANK[b.status]! || a.createdAt.localeCompare(b.createdAt));
  const working = active.filter((job) => RANK[job.status]! < 2);
  const waiting = active.filter((job) => RANK[job.status]! >= 2);
  const ended = single.filter((job) => job.finishedAt !== null).slice(0, MAX_ENDED);
  return { postings: [...postings], working, waiting, ended };
}

export default function JobsPanel({ room }: RoomPanelProps) {
  const jobs = useJobs({ room }, {}, FETCH_LIMIT);
  const items = useMemo(() => jobs.data?.pages[0]?.items.slice(0, FETCH_LIMIT) ?? [], [jobs.data]);
  const { postings, working, waiting, ended } = useMemo(() => groupJobs(items), [items]);
  if (jobs.error) return <ErrorAlert error={jobs.error} onRetry={() => jobs.refetch()} />;
  if (jobs.isPending) return <Loader size="sm" m="md" role="status" aria-label="Loading" />;
  if (!items.length)
    return (
      <EmptyState
        icon={IconBolt}
        title="No jobs yet"
        code={`from workroom import Room\n\nroom = Room("${room}", url="${location.origin}")\nhandle = room.run("modifiers/Relax", fmax=0.05)\nhandle.wait()`}
      >
        Run an extension from its form, or from Python. All users of the room see its progress.
      </EmptyState>
    );
  return (
    <Box h="100%" style={{ overflow: "auto" }} p="xs" data-testid="jobs">
      <Stack gap={6}>
        {[...working, ...waiting.slice(0, MAX_WAITING)].map((job) => (
          <JobCard key={job.jobId} job={job} />
        ))}
        {waiting.length > MAX_WAITING && (
          <Text size="xs" c="dimmed" ta="center">
            and {waiting.length - MAX_WAITING} more waiting
          </Text>
        )}
        {postings.map(([posting, some]) => (
          <PostingCard key={posting} posting={posting} jobs={some} />
        ))}
        {ended.map((job) => (
          <JobCard key={job.jobId} job={job} />
        ))}
        <AnchorLink to="/rooms/$room/jobs" params={{ room }} size="xs" ta="center" py={4}>
          All jobs of this room
        </AnchorLink>
      </Stack>
    </Box>
  );
}

function PostingCard({ posting, jobs }: { posting: string; jobs: JobBrief[] }) {
  const counts = Map.groupBy(jobs, (job) => job.status);
  return (
    <CardLink to="/postings/$posting" params={{ posting }} p={8}>
      <Group gap={6} wrap="nowrap">
        <IconStack2 size={15} aria-hidden />
        <Text size="sm" fw={560} truncate>
          {jobs[0]!.name}
        </Text>
        <Group gap={8} ml="auto" wrap="nowrap">
          {[...counts].map(([state, some]) => (
            <Group key={state} gap={4} wrap="nowrap">
              <StateDot state={state} />
              <Text size="xs" className="numbers" aria-label={`${some.length} ${state}`}>
                {some.length}
              </Text>
            </Group>
          ))}
        </Group>
      </Group>
      <Text size="xs" c="dimmed">
        a posting, <RelativeTime at={jobs[0]!.createdAt} />
      </Text>
    </CardLink>
  );
}

function JobCard({ job }: { job: JobBrief }) {
  const [open, setOpen] = useState(false);
  const running = job.status === "running";
  return (
    <Box className="surface" p={8} data-testid="job" data-status={job.status}>
      <Group gap={6} wrap="nowrap" justify="space-between" mb={6}>
        <UnstyledButton
          onClick={() => setOpen(!open)}
          aria-expanded={open}
          className={classes.head}
          aria-label={`${job.name}, ${job.status}: ${open ? "less" : "more"}`}
        >
          <IconChevronRight size={13} className={classes.arrow} data-open={open || undefined} />
          <Text size="sm" fw={560} truncate>
            {job.name}
          </Text>
        </UnstyledButton>
        <Group gap={4} wrap="nowrap">
          <StateBadge state={job.status} cancelling={job.cancelling} />
          <JobRowButtons job={job} />
        </Group>
      </Group>
      <JobTimelineBar job={job} thin={job.finishedAt !== null} />
      {running && job.progress?.message && (
        <Text size="xs" mt={4} lineClamp={2} className="numbers">
          {job.progress.message}
        </Text>
      )}
      {(job.status === "pending" || job.status === "blocked") && <WaitReason jobId={job.jobId} />}
      <Group justify="space-between" mt={4} gap={6}>
        <Text size="xs" c="dimmed" truncate>
          {job.user ?? "somebody"} · <RelativeTime at={job.createdAt} />
          {job.executionTimeMs !== null && ` · ran ${duration(job.executionTimeMs)}`}
        </Text>
        <AnchorLink to="/jobs/$job" params={{ job: job.jobId }} size="xs">
          Details
        </AnchorLink>
      </Group>
      <Collapse expanded={open}>{open && <MoreLink job={job} />}</Collapse>
    </Box>
  );
}

function MoreLink({ job }: { job: JobBrief }) {
  const detail = useJob(job.jobId);
  const logs = useJobLogs(job.jobId);
  return (
    <Stack gap={6} mt={8}>
      {detail.data?.error && (
        <Text size="xs" c="var(--wr-wrong)" style={{ overflowWrap: "anywhere" }}>
          {detail.data.error.type}: {detail.data.error.message}
        </Text>
      )}
      {logs.data && <LogView lines={logs.data.slice(-200)} height={160} />}
    </Stack>
  );
}
