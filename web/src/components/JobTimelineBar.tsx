// The way of one job: pending → assigned → running → finished, failed or cancelled, with how long each part took.
import { Tooltip } from "@mantine/core";
import { STATE_LABELS } from "@/components/StateBadge";
import type { Schemas } from "@/lib/api/client";
import { duration } from "@/lib/format";
import { timelineSegments } from "@/lib/jobs/jobTimeline";
import { useNow } from "@/lib/useNow";
import classes from "./JobTimelineBar.module.css";

export function JobTimelineBar({ job, thin = false }: { job: Schemas["JobBrief"]; thin?: boolean }) {
  const now = useNow(job.finishedAt === null ? (thin ? 500 : 200) : 0);
  const segments = timelineSegments(job, now);
  const words = segments
    .filter((one) => one.reached)
    .map((one) => `${STATE_LABELS[one.state]}${one.ms === null ? "" : ` ${duration(one.ms)}`}`)
    .join(", ");
  return (
    <div className={classes.bar} data-thin={thin || undefined} role="img" aria-label={words}>
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
