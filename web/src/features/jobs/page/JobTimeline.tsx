// The history of a job on an axis of time: how long it was blocked, waited, and took at each worker.
import { Group, Text, Tooltip } from "@mantine/core";
import { STATE_LABELS, StateDot } from "@/components/jobs/StateBadge";
import { duration, moment } from "@/lib/format";
import { type TimeSpan, timeSpans } from "@/lib/jobs/timelineToScale";
import { useNow } from "@/lib/useNow";
import type { JobDetail } from "@/live/jobs/jobPatches";
import classes from "./JobTimeline.module.css";

const TICKS = 4;

export function JobTimeline({ job, unblockedAt }: { job: JobDetail; unblockedAt: string | null }) {
  const now = useNow(job.finishedAt === null ? 500 : 0);
  const spans = timeSpans(job, unblockedAt, now);
  const first = Date.parse(job.createdAt);
  const total = Math.max(1, (spans.at(-1)?.end ?? first) - first);
  const percent = (time: number) => ((time - first) / total) * 100;
  const label = (span: TimeSpan) =>
    `${STATE_LABELS[span.state]}${span.attempt && job.attempts.length ? ` (attempt ${span.attempt})` : ""}`;
  const sums = new Map<TimeSpan["state"], number>();
  for (const span of spans) sums.set(span.state, (sums.get(span.state) ?? 0) + span.end - span.start);
  return (
    <div data-testid="timeline">
      <div
        role="img"
        aria-label={`Timeline: ${spans.map((span) => `${label(span)} ${duration(span.end - span.start)}`).join(", ")}`}
        className={classes.axis}
      >
        {spans.map((span) => (
          <Tooltip
            key={`${span.state} ${span.start} ${span.attempt}`}
            label={`${label(span)}: ${duration(span.end - span.start)}, from ${moment(span.start)}`}
          >
            <div
              className={classes.span}
              data-span={span.state}
              data-lost={span.lost || undefined}
              style={
                {
                  "--state": `var(--wr-${span.state})`,
                  left: `${percent(span.start)}%`,
                  width: `${percent(span.end) - percent(span.start)}%`,
                } as React.CSSProperties
              }
            />
          </Tooltip>
        ))}
      </div>
      <div className={classes.ticks} aria-hidden>
        {Array.from({ length: TICKS + 1 }, (_, tick) => (
          <span key={(tick * 100) / TICKS}>{tick === 0 ? "0" : duration((total * tick) / TICKS)}</span>
        ))}
      </div>
      <Group gap="md" mt={6}>
        {[...sums].map(([state, ms]) => (
          <Group key={state} gap={6}>
            <StateDot state={state} />
            <Text size="xs">
              {STATE_LABELS[state]} <span className="numbers">{duration(ms)}</span>
            </Text>
          </Group>
        ))}
      </Group>
    </div>
  );
}
