// The room's jobs, live, in a panel.
import { Box, Collapse, Group, Loader, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconBolt, IconChevronRight, IconStack2 } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { EmptyState } from "@/components/EmptyState";
import { Trouble } from "@/components/ErrorNotice";
import { JobBar } from "@/components/JobBar";
import { AnchorLink, CardLink } from "@/components/links";
import { StateBadge, StateDot } from "@/components/StateBadge";
import { When } from "@/components/When";
import { duration } from "@/lib/format";
import type { RoomPieceProps } from "@/lib/panels";
import type { JobBrief } from "@/live/jobs";
import { useJob, useJobLogs, useJobs } from "@/live/queries";
import { JobActions } from "./JobActions";
import classes from "./JobsPanel.module.css";
import { LogView } from "./LogView";
import { Waiting } from "./Waiting";

const FETCHED = 60;
const WAITING_SHOWN = 5;
const ENDED_SHOWN = 20;
const RANK: Record<string, number> = { running: 0, assigned: 1, pending: 2, blocked: 3 };

/** What is shown: jobs at work, the next that wait, what ended lately; a posting's jobs as one line. */
function arranged(items: JobBrief[]) {
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
  const ended = single.filter((job) => job.finishedAt !== null).slice(0, ENDED_SHOWN);
  return { postings: [...postings], working, waiting, ended };
}

export default function JobsPanel({ room }: RoomPieceProps) {
  const jobs = useJobs({ room }, {}, FETCHED);
  const items = useMemo(() => jobs.data?.pages[0]?.items.slice(0, FETCHED) ?? [], [jobs.data]);
  const { postings, working, waiting, ended } = useMemo(() => arranged(items), [items]);
  if (jobs.error) return <Trouble error={jobs.error} again={() => jobs.refetch()} />;
  if (jobs.isPending) return <Loader size="sm" m="md" role="status" aria-label="Loading" />;
  if (!items.length)
    return (
      <EmptyState
        icon={IconBolt}
        title="No jobs yet"
        code={`from workroom import Room\n\nroom = Room("${room}", url="${location.origin}")\nhandle = room.run("modifiers/Relax", fmax=0.05)\nhandle.wait()`}
      >
        Run an extension from its form, or from Python. Everybody in the room sees how far it is.
      </EmptyState>
    );
  return (
    <Box h="100%" style={{ overflow: "auto" }} p="xs" data-testid="jobs">
      <Stack gap={6}>
        {[...working, ...waiting.slice(0, WAITING_SHOWN)].map((job) => (
          <JobCard key={job.jobId} job={job} />
        ))}
        {waiting.length > WAITING_SHOWN && (
          <Text size="xs" c="dimmed" ta="center">
            and {waiting.length - WAITING_SHOWN} more waiting
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
        a posting, <When at={jobs[0]!.createdAt} />
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
          <JobActions job={job} />
        </Group>
      </Group>
      <JobBar job={job} thin={job.finishedAt !== null} />
      {running && job.progress?.message && (
        <Text size="xs" mt={4} lineClamp={2} className="numbers">
          {job.progress.message}
        </Text>
      )}
      {(job.status === "pending" || job.status === "blocked") && <Waiting jobId={job.jobId} />}
      <Group justify="space-between" mt={4} gap={6}>
        <Text size="xs" c="dimmed" truncate>
          {job.user ?? "somebody"} · <When at={job.createdAt} />
          {job.executionTimeMs !== null && ` · ran ${duration(job.executionTimeMs)}`}
        </Text>
        <AnchorLink to="/jobs/$job" params={{ job: job.jobId }} size="xs">
          Details
        </AnchorLink>
      </Group>
      <Collapse expanded={open}>{open && <More job={job} />}</Collapse>
    </Box>
  );
}

function More({ job }: { job: JobBrief }) {
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
