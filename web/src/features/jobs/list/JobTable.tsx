// Virtualised table of jobs with check boxes.
import { Checkbox } from "@mantine/core";
import { useRouterState } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { ListedJob } from "@/live/jobs/jobPatches";
import { JobRow, ROW_HEIGHT } from "./JobRow";
import classes from "./JobsPage.module.css";
import { type Order, SortHead } from "./SortHead";

/** Where the table was scrolled to, by entry of the browser's history: Back from a job returns there. */
const scrolledTo = new Map<string, number>();

export function JobTable({
  items,
  showRoom,
  marked,
  mark,
  more,
  order,
}: {
  items: ListedJob[];
  showRoom: boolean;
  marked: ReadonlySet<string>;
  mark: (marked: ReadonlySet<string>) => void;
  more: (() => void) | undefined;
  order: Order;
}) {
  const box = useRef<HTMLDivElement>(null);
  const entry = useRouterState({ select: (state) => state.location.state.__TSR_key ?? "" });
  const rows = useVirtualizer({
    initialOffset: () => scrolledTo.get(entry) ?? 0,
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    getItemKey: (at) => items[at]!.jobId,
  });
  const visible = rows.getVirtualItems();
  const last = visible.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && last >= items.length - 20) more();
  }, [more, last, items.length]);
  const all = items.length > 0 && items.every((job) => marked.has(job.jobId));

  return (
    <div
      role="table"
      aria-label="Jobs"
      aria-rowcount={items.length}
      className={classes.table}
      data-room={showRoom || undefined}
    >
      <div role="row" className={classes.head}>
        <span role="columnheader">
          <Checkbox
            size="xs"
            aria-label="All shown"
            checked={all}
            indeterminate={!all && marked.size > 0}
            onChange={() => mark(all ? new Set() : new Set(items.map((job) => job.jobId)))}
          />
        </span>
        <SortHead by="name" {...order}>
          Extension
        </SortHead>
        <span role="columnheader">Arguments</span>
        {showRoom && <span role="columnheader">Room</span>}
        <span role="columnheader">State</span>
        <span role="columnheader">Result</span>
        <span role="columnheader">By</span>
        <span role="columnheader">Worker</span>
        <SortHead by="priority" {...order} right>
          Priority
        </SortHead>
        <span role="columnheader" className={classes.right}>
          Waited
        </span>
        <SortHead by="duration" {...order} right>
          Ran
        </SortHead>
        <SortHead by="time" {...order}>
          Submitted
        </SortHead>
        <span role="columnheader" aria-label="Actions" />
      </div>
      <div
        ref={box}
        className={classes.body}
        role="rowgroup"
        tabIndex={0}
        onScroll={(event) => scrolledTo.set(entry, event.currentTarget.scrollTop)}
      >
        <div style={{ height: rows.getTotalSize(), position: "relative" }}>
          {visible.map((row) => {
            const job = items[row.index]!;
            return (
              <JobRow
                key={row.key}
                job={job}
                top={row.start}
                showRoom={showRoom}
                marked={marked.has(job.jobId)}
                mark={(on) => {
                  const next = new Set(marked);
                  if (on) next.add(job.jobId);
                  else next.delete(job.jobId);
                  mark(next);
                }}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}
