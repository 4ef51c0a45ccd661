import { Checkbox, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { JobOutcome } from "@/components/jobs/JobOutcome";
import { JobTimelineBar } from "@/components/jobs/JobTimelineBar";
import { StateBadge } from "@/components/jobs/StateBadge";
import { RelativeTime } from "@/components/RelativeTime";
import { duration } from "@/lib/format";
import { waitReason } from "@/lib/jobs/waitReason";
import type { ListedJob } from "@/live/jobs/jobPatches";
import { JobRowButtons } from "../JobRowButtons";
import classes from "./JobsPage.module.css";

export const ROW_HEIGHT = 42;

export const JobRow = memo(function JobRow({
  job,
  top,
  showRoom,
  marked,
  mark,
}: {
  job: ListedJob;
  top: number;
  showRoom: boolean;
  marked: boolean;
  mark: (on: boolean) => void;
}) {
  return (
    <div
      role="row"
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
      data-status={job.status}
    >
      <span role="cell">
        <Checkbox
          size="xs"
          aria-label={`Mark ${job.name}`}
          checked={marked}
          onChange={(event) => mark(event.currentTarget.checked)}
        />
      </span>
      <span role="cell">
        <Link to="/jobs/$job" params={{ job: job.jobId }} className="plain">
          <Text span size="sm" fw={560} truncate display="block">
            {job.name}
          </Text>
        </Link>
      </span>
      <span role="cell">
        <Text span size="xs" c="dimmed" truncate display="block" title={job.dataText}>
          {job.dataText}
        </Text>
      </span>
      {showRoom && (
        <span role="cell">
          {job.room === null ? (
            <Text size="sm" c="dimmed">
              –
            </Text>
          ) : (
            <Link to="/rooms/$room" params={{ room: job.room }} className="plain">
              <Text span size="sm" truncate display="block">
                {job.room}
              </Text>
            </Link>
          )}
        </span>
      )}
      <span role="cell">
        <StateBadge state={job.status} cancelling={job.cancelling} />
      </span>
      <span role="cell">
        <RowOutcome job={job} />
      </span>
      <span role="cell">
        <Text size="sm" truncate>
          {job.user ?? "–"}
        </Text>
      </span>
      <span role="cell">
        <Text size="xs" c="dimmed" truncate title={job.workerId ?? undefined}>
          {job.worker ?? job.workerId?.slice(-6) ?? "–"}
        </Text>
      </span>
      <span role="cell" className={`numbers ${classes.right}`}>
        {job.priority}
      </span>
      <span role="cell" className={`numbers ${classes.right}`}>
        {duration(job.waitTimeMs)}
      </span>
      <span role="cell" className={`numbers ${classes.right}`}>
        {duration(job.executionTimeMs)}
      </span>
      <span role="cell">
        <Text size="sm" c="dimmed" component="span">
          <RelativeTime at={job.createdAt} />
        </Text>
      </span>
      <span role="cell">
        <JobRowButtons job={job} />
      </span>
    </div>
  );
});

/** Why a job waits, how it goes on, or what came out. */
function RowOutcome({ job }: { job: ListedJob }) {
  if (job.finishedAt !== null) return <JobOutcome job={job} lines={1} />;
  const reason = waitReason(job);
  if (!reason) return <JobTimelineBar job={job} thin />;
  return (
    <Text size="xs" c="dimmed" truncate title={reason} data-testid="waiting">
      {reason}
    </Text>
  );
}
