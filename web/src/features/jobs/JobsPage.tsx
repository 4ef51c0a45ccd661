// Jobs in a table: of a room, of all rooms (admins), or one's own. What is shown is in the address.
import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Loader,
  MultiSelect,
  Paper,
  Select,
  Text,
  TextInput,
} from "@mantine/core";
import { IconBolt, IconPlayerStop, IconRefresh, IconX } from "@tabler/icons-react";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { EmptyState } from "@/components/EmptyState";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { Page } from "@/components/Page";
import { STATE_LABELS, STATES } from "@/components/StateBadge";
import { useSession } from "@/lib/api/session";
import { plural } from "@/lib/format";
import { notify, notifyError } from "@/lib/notifications";
import type { JobBrief } from "@/live/jobPatches";
import { useCancelJob, useExtensions, useJobs, useRetryJob } from "@/live/queries";
import { JobRow, ROW_HEIGHT } from "./JobRow";
import classes from "./JobsPage.module.css";

export interface JobsSearch {
  status?: string[];
  category?: string;
  name?: string;
  of?: "all" | "mine";
}

export default function JobsPage() {
  const { room } = useParams({ strict: false }) as { room?: string };
  const search = useSearch({ strict: false }) as JobsSearch;
  const user = useSession((session) => session.user)!;
  const navigate = useNavigate();
  const everybody = room === undefined && user.role === "admin" && search.of !== "mine";
  const filter = useMemo(
    () => ({ status: search.status, category: search.category, name: search.name }),
    [search.status, search.category, search.name],
  );
  const of = room !== undefined ? { room } : everybody ? {} : { user: user.id };
  const jobs = useJobs(of, filter, 100);
  const items = useMemo(() => jobs.data?.pages.flatMap((page) => page.items) ?? [], [jobs.data]);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const set = (change: Partial<JobsSearch>) =>
    void navigate({
      to: ".",
      search: (known: JobsSearch) =>
        Object.fromEntries(
          Object.entries({ ...known, ...change }).filter(
            ([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && !value.length),
          ),
        ),
      replace: true,
    } as never);

  return (
    <Page
      wide
      title={room ? `Jobs of ${room}` : everybody ? "Jobs of all rooms" : "Your jobs"}
      subtitle={
        jobs.data
          ? `${items.length}${jobs.hasNextPage ? " and more" : ""}, newest first; the rows are live.`
          : " "
      }
      actions={
        <BulkActions jobs={items.filter((job) => marked.has(job.jobId))} done={() => setMarked(new Set())} />
      }
    >
      <Paper className="surface" radius="md" style={{ overflow: "hidden" }}>
        <JobFilters
          room={room}
          search={search}
          set={set}
          admin={room === undefined && user.role === "admin"}
        />
        {jobs.error && <ErrorAlert error={jobs.error} onRetry={() => jobs.refetch()} />}
        {jobs.isPending && <Loader size="sm" m="md" role="status" aria-label="Loading" />}
        {jobs.data && !items.length && (
          <EmptyState icon={IconBolt} title="No jobs here">
            {Object.keys(search).length
              ? "No job fits these filters."
              : "Jobs appear here as soon as somebody submits one."}
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

function JobFilters({
  room,
  search,
  set,
  admin,
}: {
  room: string | undefined;
  search: JobsSearch;
  set: (change: Partial<JobsSearch>) => void;
  admin: boolean;
}) {
  const extensions = useExtensions(room ?? "", room !== undefined);
  const categories = [...new Set(extensions.data?.map((one) => one.category))].sort();
  const filtered = Boolean(search.status?.length || search.category || search.name);
  return (
    <Group p="sm" gap="sm" className={classes.filters}>
      <MultiSelect
        aria-label="State"
        placeholder={search.status?.length ? undefined : "Any state"}
        size="xs"
        miw={160}
        maw={420}
        data={STATES.map((state) => ({ value: state, label: STATE_LABELS[state]! }))}
        value={search.status ?? []}
        onChange={(status) => set({ status })}
        clearable
        clearButtonProps={{ "aria-label": "Any state" }}
      />
      {room !== undefined && (
        <>
          <Select
            aria-label="Category"
            placeholder="Any category"
            size="xs"
            w={150}
            data={[...new Set([...categories, ...(search.category ? [search.category] : [])])]}
            value={search.category ?? null}
            onChange={(category) => set({ category: category ?? undefined })}
            clearable
          />
          <TextInput
            aria-label="Extension"
            placeholder="Any extension"
            size="xs"
            w={160}
            key={search.name}
            defaultValue={search.name ?? ""}
            onBlur={(event) => set({ name: event.currentTarget.value.trim() || undefined })}
            onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
          />
        </>
      )}
      {admin && (
        <Select
          aria-label="Whose"
          size="xs"
          w={120}
          allowDeselect={false}
          data={[
            { value: "all", label: "Everybody's" },
            { value: "mine", label: "Mine" },
          ]}
          value={search.of ?? "all"}
          onChange={(of) => set({ of: of === "mine" ? "mine" : undefined })}
        />
      )}
      {filtered && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconX size={13} />}
          onClick={() => set({ status: undefined, category: undefined, name: undefined })}
        >
          Clear
        </Button>
      )}
    </Group>
  );
}

function JobTable({
  items,
  showRoom,
  marked,
  mark,
  more,
}: {
  items: JobBrief[];
  showRoom: boolean;
  marked: ReadonlySet<string>;
  mark: (marked: ReadonlySet<string>) => void;
  more: (() => void) | undefined;
}) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
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
        <span role="columnheader">Extension</span>
        {showRoom && <span role="columnheader">Room</span>}
        <span role="columnheader">State</span>
        <span role="columnheader">Way</span>
        <span role="columnheader">By</span>
        <span role="columnheader" className={classes.right}>
          Waited
        </span>
        <span role="columnheader" className={classes.right}>
          Ran
        </span>
        <span role="columnheader">Submitted</span>
        <span role="columnheader" aria-label="Actions" />
      </div>
      <div ref={box} className={classes.body} role="rowgroup" tabIndex={0}>
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

/** What is done with all marked jobs at once. */
function BulkActions({ jobs, done }: { jobs: JobBrief[]; done: () => void }) {
  const cancel = useCancelJob();
  const retry = useRetryJob();
  const [busy, setBusy] = useState(false);
  const open = jobs.filter((job) => job.finishedAt === null);
  const ended = jobs.filter((job) => job.finishedAt !== null);
  if (!jobs.length) return null;

  const each = async (some: JobBrief[], act: (job: JobBrief) => Promise<unknown>, what: string) => {
    setBusy(true);
    const results = await Promise.allSettled(some.map(act));
    setBusy(false);
    const failed = results.filter((one) => one.status === "rejected");
    if (failed.length) notifyError(failed[0]!.reason, `${failed.length} of ${some.length} did not work`);
    else notify(`${plural(some.length, "job")} ${what}.`);
    done();
  };

  return (
    <>
      <Text size="sm" c="dimmed">
        {plural(jobs.length, "job")} marked
      </Text>
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={14} />}
        disabled={!open.length || busy}
        onClick={() => each(open, (job) => cancel.mutateAsync(job), "cancelled")}
      >
        Cancel {open.length || ""}
      </Button>
      <Button
        variant="default"
        leftSection={<IconRefresh size={14} />}
        disabled={!ended.length || busy}
        onClick={() => each(ended, (job) => retry.mutateAsync(job), "queued once more")}
      >
        Retry {ended.length || ""}
      </Button>
      <ActionIcon aria-label="Mark none" onClick={done}>
        <IconX size={15} />
      </ActionIcon>
    </>
  );
}
