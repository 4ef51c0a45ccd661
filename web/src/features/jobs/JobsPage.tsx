// The job table of a room, of all rooms (admins) or of the signed-in user. Filters are part of the address.
import { Loader, Paper } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { EmptyState } from "@/components/EmptyState";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { Page } from "@/components/Page";
import type { Schemas } from "@/lib/api/client";
import { useSession } from "@/lib/api/session";
import { withoutEmpty } from "@/lib/searchParams";
import { useJobs } from "@/live/queries";
import { BulkActions } from "./BulkJobActions";
import { JobFilters } from "./JobFilters";
import { JobTable } from "./JobTable";
import type { JobsSearch } from "./jobsSearch";
export default function JobsPage() {
  const { room } = useParams({ strict: false });
  const search = useSearch({ strict: false }) as JobsSearch;
  const user = useSession((session) => session.user)!;
  const navigate = useNavigate();
  const allUsers = room === undefined && user.role === "admin" && search.of !== "mine";
  const filter = useMemo(
    () => ({
      status: search.status,
      category: search.category,
      name: search.name,
      search: search.search,
    }),
    [search.status, search.category, search.name, search.search],
  );
  const of = room !== undefined ? { room } : allUsers ? {} : { user: user.id };
  const jobs = useJobs(of, filter, 100);
  const items = useMemo(() => jobs.data?.pages.flatMap((page) => page.items) ?? [], [jobs.data]);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const set = (change: Partial<JobsSearch>) =>
    void navigate({ to: ".", search: () => withoutEmpty({ ...search, ...change }) });

  return (
    <Page
      wide
      title={room ? `Jobs of ${room}` : allUsers ? "Jobs of all rooms" : "Your jobs"}
      subtitle={
        jobs.data
          ? `${items.length}${jobs.hasNextPage ? " and more" : ""}, newest first; the rows are live.`
          : " "
      }
      actions={
        <BulkActions
          jobs={items.filter((job) => marked.has(job.jobId))}
          filter={{ room, mine: room === undefined && !allUsers, ...filter } as Schemas["JobFilter"]}
          done={() => setMarked(new Set())}
        />
      }
    >
      <Paper className="surface" radius="md" style={{ overflow: "hidden" }}>
        <JobFilters
          room={room}
          search={search}
          set={set}
          admin={room === undefined && user.role === "admin"}
        />
        {jobs.isLoadingError && <ErrorAlert error={jobs.error} onRetry={() => jobs.refetch()} />}
        {jobs.isPending && <Loader size="sm" m="md" role="status" aria-label="Loading" />}
        {jobs.data && !items.length && (
          <EmptyState icon={IconBolt} title="No jobs here">
            {Object.values(filter).some(Boolean)
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
            more={jobs.hasNextPage && !jobs.isFetchingNextPage ? () => void jobs.fetchNextPage() : undefined}
          />
        )}
      </Paper>
    </Page>
  );
}
