// The job table of a room, of all rooms (admins) or of the signed-in user. Filters and order are part of the address.
import { Box, Button, Loader, Paper, Text } from "@mantine/core";
import { IconAlertTriangle, IconBolt, IconChartLine } from "@tabler/icons-react";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { EmptyState } from "@/components/EmptyState";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { EndedJobsCharts } from "@/components/jobs/EndedJobsCharts";
import { Page } from "@/components/Page";
import type { Schemas } from "@/lib/api/client";
import { useSession } from "@/lib/api/session";
import { count, moment } from "@/lib/format";
import { withoutEmpty } from "@/lib/searchParams";
import { conditions, isLive } from "@/live/jobs/jobFilter";
import { useJobs } from "@/live/queries";
import { BulkActions } from "./BulkJobActions";
import { JobErrorGroups } from "./JobErrorGroups";
import { JobFilters } from "./JobFilters";
import classes from "./JobsPage.module.css";
import { JobTable } from "./JobTable";
import { filterOf, isFiltered, type JobsSearch } from "./jobsSearch";

/** The search goes on by itself until so many jobs are found. */
const ENOUGH = 50;

export default function JobsPage() {
  const { room } = useParams({ strict: false });
  const search = useSearch({ strict: false }) as JobsSearch;
  const user = useSession((session) => session.user)!;
  const navigate = useNavigate();
  const isAdmin = user.role === "admin";
  const allUsers = room === undefined && isAdmin && search.of !== "mine";
  const address = JSON.stringify(filterOf(search));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address changes with the filter
  const filter = useMemo(() => withoutEmpty(filterOf(search)), [address]);
  const of = room !== undefined ? { room } : allUsers ? {} : { user: user.id };
  const jobs = useJobs(of, filter, 100);
  const items = useMemo(() => {
    const found = jobs.data?.pages.flatMap((page) => page.items) ?? [];
    // A job that ends between two pages may be on both.
    return [...new Map(found.map((job) => [job.jobId, job])).values()];
  }, [jobs.data]);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const set = (change: Partial<JobsSearch>) =>
    void navigate({ to: ".", search: () => withoutEmpty({ ...search, ...change }) });
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = jobs;
  const searching = hasNextPage && items.length < ENOUGH && !isFetchNextPageError;
  useEffect(() => {
    if (searching && !isFetchingNextPage) void fetchNextPage();
  }, [searching, isFetchingNextPage, fetchNextPage]);
  const sort = filter.sort ?? "time";
  const comparedSince = jobs.data?.pages.at(-1)?.comparedSince;
  const panel = (name: "errors" | "history", label: string, Icon: typeof IconBolt) => (
    <Button
      variant={search.show === name ? "light" : "default"}
      leftSection={<Icon size={14} />}
      aria-expanded={search.show === name}
      onClick={() => set({ show: search.show === name ? undefined : name })}
    >
      {label}
    </Button>
  );

  return (
    <Page
      wide
      title={room ? `Jobs of ${room}` : allUsers ? "Jobs of all rooms" : "Your jobs"}
      subtitle={
        jobs.data
          ? `${count(items.length)}${hasNextPage ? " and more" : ""}${!allUsers && isLive(filter) ? "; the rows are live" : ""}.`
          : " "
      }
      actions={
        <>
          {panel("errors", "Errors", IconAlertTriangle)}
          {panel("history", "History", IconChartLine)}
          <BulkActions
            jobs={items.filter((job) => marked.has(job.jobId))}
            filter={
              { room, mine: room === undefined && !allUsers, ...conditions(filter) } as Schemas["JobFilter"]
            }
            done={() => setMarked(new Set())}
          />
        </>
      }
    >
      <Paper className="surface" radius="md" style={{ overflow: "hidden" }}>
        <JobFilters
          room={room}
          search={search}
          set={set}
          admin={room === undefined && isAdmin}
          mine={room === undefined && !allUsers}
        />
        {search.show === "errors" && <JobErrorGroups of={of} filter={filter} set={set} />}
        {search.show === "history" && (
          <Box p="md" className={classes.filters}>
            <EndedJobsCharts {...of} category={filter.category} name={filter.name} search={filter.search} />
          </Box>
        )}
        {comparedSince && (sort !== "time" || searching) && (
          <Text size="xs" c="dimmed" className={classes.note} role="status">
            {sort === "time"
              ? `Searching the jobs before ${moment(comparedSince)} …`
              : `Sorted among the newest jobs, since ${moment(comparedSince)}. Narrow the filters to sort older ones.`}
          </Text>
        )}
        {jobs.isLoadingError && <ErrorAlert error={jobs.error} onRetry={() => jobs.refetch()} />}
        {jobs.isPending && <Loader size="sm" m="md" role="status" aria-label="Loading" />}
        {jobs.data && !items.length && !searching && (
          <EmptyState icon={IconBolt} title="No jobs here">
            {isFiltered(filter)
              ? "No job matches these filters."
              : "Jobs appear here when they are submitted."}
          </EmptyState>
        )}
        {items.length > 0 && (
          <JobTable
            items={items}
            showRoom={room === undefined}
            marked={marked}
            mark={setMarked}
            more={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
            order={{ sort, ascending: filter.order === "ascending", change: set }}
          />
        )}
      </Paper>
    </Page>
  );
}
