// The room's jobs, live, in a panel.
import { Box, Collapse, Group, Loader, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconBolt, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { EmptyState } from "@/components/EmptyState";
import { Trouble } from "@/components/ErrorNotice";
import { JobBar } from "@/components/JobBar";
import { AnchorLink } from "@/components/links";
import { StateBadge } from "@/components/StateBadge";
import { When } from "@/components/When";
import type { RoomPieceProps } from "@/lib/panels";
import type { JobBrief } from "@/live/jobs";
import { useJob, useJobLogs, useJobs } from "@/live/queries";
import { JobActions } from "./JobActions";
import classes from "./JobsPanel.module.css";
import { LogView } from "./LogView";
import { Waiting } from "./Waiting";

const SHOWN = 30;

export default function JobsPanel({ room }: RoomPieceProps) {
  const jobs = useJobs({ room }, {}, SHOWN);
  const items = jobs.data?.pages[0]?.items.slice(0, SHOWN) ?? [];
  const active = items.filter((job) => job.finishedAt === null);
  const ended = items.filter((job) => job.finishedAt !== null);
  if (jobs.error) return <Trouble error={jobs.error} again={() => jobs.refetch()} />;
  if (jobs.isPending) return <Loader size="sm" m="md" aria-label="Loading" />;
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
        {[...active, ...ended].map((job) => (
          <JobCard key={job.jobId} job={job} />
        ))}
        <AnchorLink to="/rooms/$room/jobs" params={{ room }} size="xs" ta="center" py={4}>
          All jobs of this room
        </AnchorLink>
      </Stack>
    </Box>
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
      <JobBar job={job} />
      {running && job.progress?.message && (
        <Text size="xs" mt={4} lineClamp={2} className="numbers">
          {job.progress.message}
        </Text>
      )}
      {(job.status === "pending" || job.status === "blocked") && <Waiting jobId={job.jobId} />}
      <Group justify="space-between" mt={4} gap={6}>
        <Text size="xs" c="dimmed" truncate>
          {job.user ?? "somebody"} · <When at={job.createdAt} />
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
        <Text size="xs" c="red" style={{ overflowWrap: "anywhere" }}>
          {detail.data.error.type}: {detail.data.error.message}
        </Text>
      )}
      {logs.data && <LogView lines={logs.data.slice(-200)} height={160} />}
    </Stack>
  );
}
