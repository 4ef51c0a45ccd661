// The room's jobs, live, in a panel.
import { Box, Collapse, Group, Loader, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconBolt, IconChevronRight, IconStack2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { EmptyState } from "@/components/EmptyState";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { JobOutcome } from "@/components/jobs/JobOutcome";
import { JobTimelineBar } from "@/components/jobs/JobTimelineBar";
import { StateBadge, StateDot } from "@/components/jobs/StateBadge";
import { RelativeTime } from "@/components/RelativeTime";
import { AnchorLink, CardLink } from "@/components/RouterLinks";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { count, duration } from "@/lib/format";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { serverUrl } from "@/lib/rootPath";
import { JobChangeLinks } from "@/live/jobs/JobChangeLinks";
import type { JobChange } from "@/live/jobs/jobChanges";
import type { JobBrief, ListedJob } from "@/live/jobs/jobPatches";
import { useJob, useJobChanges, useJobLogs, useJobs } from "@/live/queries";
import { CancelNote } from "./CancelNote";
import { JobRowButtons } from "./JobRowButtons";
import classes from "./JobsPanel.module.css";
import { LogView } from "./LogView";
import { endedEntries } from "./panelEntries";
import { WaitReason } from "./WaitReason";

const FETCH_LIMIT = 60;
const MAX_ENDED = 25;

/** How many jobs of the room work and wait, and those at the head of its queue; the user's own are among them. */
function useRoomQueue(room: string) {
  return useQuery({
    queryKey: queryKeys.roomQueue(room),
    queryFn: async ({ signal }) =>
      (await api.GET("/api/rooms/{room}/queue", { params: { path: { room } }, signal })).data!,
  });
}

export default function JobsPanel({ room }: RoomPanelProps) {
  const jobs = useJobs({ room }, {}, FETCH_LIMIT);
  const queue = useRoomQueue(room);
  const items = useMemo(() => jobs.data?.pages[0]?.items.slice(0, FETCH_LIMIT) ?? [], [jobs.data]);
  const ended = useMemo(() => endedEntries(items, MAX_ENDED), [items]);
  const changed = useJobChanges(room);
  // Events write every changed job into the list, also those that have ended or belong to a posting.
  const head = queue.data?.items.filter((job) => job.finishedAt === null && job.postingId === null) ?? [];
  const hidden = (queue.data?.waiting ?? 0) - head.filter((job) => WAITING.has(job.status)).length;
  const failed = [jobs, queue].find((query) => query.isLoadingError);
  if (failed?.error)
    return <ErrorAlert error={failed.error} onRetry={() => Promise.all([jobs.refetch(), queue.refetch()])} />;
  if (jobs.isPending || queue.isPending)
    return <Loader size="sm" m="md" role="status" aria-label="Loading" />;
  if (!items.length && !head.length)
    return (
      <EmptyState
        icon={IconBolt}
        title="No jobs yet"
        code={`from workroom import Room\n\nroom = Room("${room}", url="${serverUrl}")\nhandle = room.run("modifiers/Relax", fmax=0.05)\nhandle.wait()`}
      >
        Run an extension from its form, or from Python. All users of the room see its progress.
      </EmptyState>
    );
  return (
    <Box h="100%" style={{ overflow: "auto" }} p="xs" data-testid="jobs">
      <Stack gap={6}>
        {head.map((job) => (
          <JobCard key={job.jobId} job={job} />
        ))}
        {hidden > 0 && (
          <Text size="xs" c="dimmed" ta="center">
            and {count(hidden)} more waiting
          </Text>
        )}
        {ended.map((one) =>
          one.kind === "job" ? (
            <JobCard key={one.job.jobId} job={one.job} change={changed.get(one.job.jobId)} />
          ) : (
            <PostingCard key={one.posting} posting={one.posting} name={one.jobs[0]!.name} at={one.at} />
          ),
        )}
        <AnchorLink to="/rooms/$room/jobs" params={{ room }} size="xs" ta="center" py={4}>
          All jobs of this room
        </AnchorLink>
      </Stack>
    </Box>
  );
}

const WAITING = new Set(["pending", "blocked"]);

function PostingCard({ posting, name, at }: { posting: string; name: string; at: string }) {
  const { data } = useQuery({
    queryKey: queryKeys.postings(posting),
    queryFn: async ({ signal }) =>
      (await api.GET("/api/postings/{id}", { params: { path: { id: posting } }, signal })).data!,
  });
  const counts = data && {
    pending: data.total - data.completed - data.failed - data.cancelled,
    completed: data.completed,
    failed: data.failed,
    cancelled: data.cancelled,
  };
  return (
    <CardLink to="/postings/$posting" params={{ posting }} p={8}>
      <Group gap={6} wrap="nowrap">
        <IconStack2 size={15} aria-hidden />
        <Text size="sm" fw={560} truncate>
          {data?.label || name}
        </Text>
        <Group gap={8} ml="auto" wrap="nowrap">
          {Object.entries(counts ?? {}).map(
            ([state, number]) =>
              number > 0 && (
                <Group key={state} gap={4} wrap="nowrap">
                  <StateDot state={state} />
                  <Text size="xs" className="numbers" aria-label={`${number} ${state}`}>
                    {count(number)}
                  </Text>
                </Group>
              ),
          )}
        </Group>
      </Group>
      <Text size="xs" c="dimmed">
        a posting, <RelativeTime at={at} />
      </Text>
    </CardLink>
  );
}

function JobCard({ job, change }: { job: ListedJob; change?: JobChange }) {
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
      {job.finishedAt !== null && (
        <Box mt={4}>
          <JobOutcome job={job} />
          {job.room !== null && <JobChangeLinks room={job.room} job={job} change={change} />}
        </Box>
      )}
      {(job.status === "pending" || job.status === "blocked") && <WaitReason jobId={job.jobId} />}
      <CancelNote job={job} />
      <Group justify="space-between" mt={4} gap={6}>
        <Text size="xs" c="dimmed" truncate>
          {job.user ?? "a former user"} · <RelativeTime at={job.createdAt} />
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
