// The errors of failed jobs, by type and place. A click shows the jobs with this error.
import { Badge, Group, Loader, Stack, Text, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { RelativeTime } from "@/components/RelativeTime";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { count, plural } from "@/lib/format";
import { conditions, type JobFilter } from "@/live/jobs/jobFilter";
import classes from "./JobsPage.module.css";
import type { JobsSearch } from "./jobsSearch";

const REFETCH_MS = 10_000;

export function JobErrorGroups({
  of,
  filter,
  set,
}: {
  /** A room, a user, or all jobs. */
  of: { room?: string; user?: string };
  filter: JobFilter;
  set: (change: Partial<JobsSearch>) => void;
}) {
  // The panel lists all errors of the other filters, so that another one can be chosen.
  const {
    errorType: _type,
    errorPlace: _place,
    sort: _sort,
    order: _order,
    status: _status,
    ...others
  } = filter;
  const groups = useQuery({
    queryKey: queryKeys.jobErrors(of, others),
    refetchInterval: REFETCH_MS,
    queryFn: async ({ signal }) => {
      const { status: _none, ...query } = conditions(others);
      const { room, user: id } = of;
      if (room !== undefined)
        return (await api.GET("/api/rooms/{room}/job-errors", { params: { path: { room }, query }, signal }))
          .data!.items;
      if (id !== undefined)
        return (await api.GET("/api/users/{id}/job-errors", { params: { path: { id }, query }, signal }))
          .data!.items;
      return (await api.GET("/api/job-errors", { params: { query }, signal })).data!.items;
    },
  });
  if (groups.isLoadingError) return <ErrorAlert error={groups.error} onRetry={() => groups.refetch()} />;
  if (!groups.data) return <Loader size="xs" m="sm" role="status" aria-label="Loading" />;
  if (!groups.data.length)
    return (
      <Text size="sm" c="dimmed" p="sm">
        No job has failed.
      </Text>
    );
  return (
    <Stack gap={0} component="ul" className={classes.errors} aria-label="Errors">
      {groups.data.map((one) => {
        const place = one.place || "?";
        const chosen = filter.errorType === one.type && filter.errorPlace === place;
        return (
          <li key={`${one.type} ${one.place}`}>
            <UnstyledButton
              className={classes.error}
              aria-pressed={chosen}
              onClick={() =>
                set(
                  chosen
                    ? { errorType: undefined, errorPlace: undefined, status: undefined }
                    : { errorType: one.type, errorPlace: place, status: ["failed"] },
                )
              }
            >
              <Badge color="red" variant="light" aria-label={plural(one.jobs, "job")}>
                {count(one.jobs, true)}
              </Badge>
              <Text span size="sm" truncate style={{ flex: 1 }}>
                <b>{one.type}</b>
                {one.message && `: ${one.message}`}
              </Text>
              <Group gap="sm" wrap="nowrap" visibleFrom="sm">
                <Text span size="xs" c="dimmed" ff="monospace">
                  {one.place || `${one.category}/${one.name}`}
                </Text>
                <Text span size="xs" c="dimmed">
                  <RelativeTime at={one.lastAt} />
                </Text>
              </Group>
            </UnstyledButton>
          </li>
        );
      })}
    </Stack>
  );
}
