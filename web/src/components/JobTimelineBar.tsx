// The timeline of a job: pending → assigned → running → finished, failed or cancelled, with the duration of each part.
import { Tooltip } from "@mantine/core";
import { STATE_LABELS } from "@/components/StateBadge";
import { duration } from "@/lib/format";
import type { JobBrief } from "@/lib/jobs/job";
import { timelineSegments } from "@/lib/jobs/jobTimeline";
import { useNow } from "@/lib/useNow";
import classes from "./JobTimelineBar.module.css";

export function JobTimelineBar({ job, thin = false }: { job: JobBrief; thin?: boolean }) {
  const now = useNow(job.finishedAt === null ? (thin ? 500 : 200) : 0);
  const segments = timelineSegments(job, now);
  const label = segments
    .filter((one) => one.reached)
    .map((one) => `${STATE_LABELS[one.state]}${one.ms === null ? "" : ` ${duration(one.ms)}`}`)
    .join(", ");
  return (
    <div className={classes.bar} data-thin={thin || undefined} role="img" aria-label={label}>
      {segments.map((one) => (
        <Tooltip
          key={one.step}
          label={`${STATE_LABELS[one.state]}${one.ms === null ? "" : `: ${duration(one.ms)}`}`}
          disabled={!one.reached}
        >
          <div
            className={classes.segment}
            data-step={one.step}
            data-state={one.reached ? one.state : undefined}
            data-current={one.current || undefined}
            style={{ "--state": `var(--wr-${one.state})` } as React.CSSProperties}
          >
            <div className={classes.track}>
              <div
                className={classes.fill}
                data-unsure={(one.current && one.state === "running" && one.fraction === null) || undefined}
                style={{ width: one.reached ? `${(one.fraction ?? 1) * 100}%` : 0 }}
              />
            </div>
            {!thin && (
              <div className={classes.words}>
                <span className={classes.name}>{STATE_LABELS[one.state]}</span>
                <span className="numbers">{one.reached && one.ms !== null ? duration(one.ms) : ""}</span>
              </div>
            )}
          </div>
        </Tooltip>
      ))}
    </div>
  );
}
