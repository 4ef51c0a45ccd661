// The timeline of a job as a bar to scale: how long it waited, was assigned and ran; at its end the state in which it ended.
import { Tooltip } from "@mantine/core";
import { STATE_LABELS } from "@/components/jobs/StateBadge";
import { duration } from "@/lib/format";
import type { JobBrief } from "@/lib/jobs/job";
import { timeSpans } from "@/lib/jobs/timelineToScale";
import { useNow } from "@/lib/useNow";
import classes from "./JobTimelineBar.module.css";

/** Below this fraction, the time that is left cannot be told from the time that has passed. */
const LEAST_FRACTION = 0.02;

export function JobTimelineBar({ job, thin = false }: { job: JobBrief; thin?: boolean }) {
  const ended = job.finishedAt !== null;
  const now = useNow(ended ? 0 : thin ? 500 : 200);
  const spans = timeSpans(job, null, now);
  const labels = spans.map((span) => `${STATE_LABELS[span.state]} ${duration(span.end - span.start)}`);
  if (ended) labels.push(STATE_LABELS[job.status] ?? job.status);
  const current = ended ? undefined : spans.at(-1);
  const fraction = job.status === "running" ? (job.progress?.fraction ?? null) : null;
  const left =
    current && fraction !== null && fraction >= LEAST_FRACTION
      ? ((current.end - current.start) * (1 - fraction)) / fraction
      : 0;
  return (
    <div role="img" aria-label={labels.join(", ")}>
      <div className={classes.bar} data-thin={thin || undefined}>
        {spans.map((span, at) => (
          <Tooltip key={`${span.state} ${span.start}`} label={labels[at]}>
            <div
              className={classes.span}
              data-step={span.state}
              data-current={span === current || undefined}
              data-unsure={(span === current && span.state === "running" && left === 0) || undefined}
              style={
                {
                  "--state": `var(--wr-${span.state})`,
                  flexGrow: Math.max(1, span.end - span.start),
                } as React.CSSProperties
              }
            />
          </Tooltip>
        ))}
        {left > 0 && (
          <Tooltip label={`about ${duration(left)} left`}>
            <div className={classes.left} style={{ flexGrow: left }} />
          </Tooltip>
        )}
        {ended && (
          <div
            className={classes.end}
            data-step="end"
            data-state={job.status}
            style={{ "--state": `var(--wr-${job.status})` } as React.CSSProperties}
          />
        )}
      </div>
      {!thin && <div className={`${classes.words} numbers`}>{labels.join(" · ")}</div>}
    </div>
  );
}
