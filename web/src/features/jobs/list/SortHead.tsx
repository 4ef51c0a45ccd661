// The head of a column that sorts the table: first descending (names ascending), then the other way round.
import { UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { JobFilter, JobSort } from "@/live/jobs/jobFilter";
import classes from "./JobsPage.module.css";

export interface Order {
  sort: JobSort;
  ascending: boolean;
  change: (order: Pick<JobFilter, "sort" | "order">) => void;
}

export function SortHead({
  by,
  sort,
  ascending,
  change,
  right = false,
  children,
}: Order & { by: JobSort; right?: boolean; children: ReactNode }) {
  const chosen = sort === by;
  const next = chosen ? !ascending : by === "name";
  const Icon = ascending ? IconChevronUp : IconChevronDown;
  return (
    <span
      role="columnheader"
      aria-sort={chosen ? (ascending ? "ascending" : "descending") : "none"}
      className={right ? classes.right : undefined}
    >
      <UnstyledButton
        className={classes.sort}
        data-chosen={chosen || undefined}
        onClick={() =>
          change({ sort: by === "time" ? undefined : by, order: next ? "ascending" : undefined })
        }
      >
        {children}
        {chosen && <Icon size={12} aria-hidden />}
      </UnstyledButton>
    </span>
  );
}
