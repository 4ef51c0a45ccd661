// The profile of one posted function: a table, who calls whom, an icicle, and what changed between two sides.
import {
  Alert,
  Button,
  Group,
  Loader,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Tabs,
  Text,
  Title,
} from "@mantine/core";
import { IconDownload, IconInfoCircle } from "@tabler/icons-react";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { ColumnDef } from "@tanstack/react-table";
import { lazy, Suspense, useMemo, useState } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { Page } from "@/components/Page";
import { call, type Schemas } from "@/lib/api/client";
import { count, fineDuration, plural } from "@/lib/format";
import { notifyError } from "@/lib/notifications";
import { CostTable, Share } from "./CostTable";
import {
  type CodePlace,
  type FunctionCost,
  type PairCost,
  type ProfileSelector,
  useCallers,
  useDiff,
  useProfiledFunctions,
  useStacks,
  useTop,
} from "./queries";
import { buildStackTree } from "./stackTree";

const IcicleChart = lazy(() => import("./IcicleChart"));

export interface ProfileSearch {
  tab?: "icicle" | "diff";
  version?: string;
  machine?: string;
  a?: string;
  b?: string;
  of?: string;
}

export default function ProfilePage() {
  const { function: name } = useParams({ strict: false }) as { function: string };
  const search = useSearch({ strict: false }) as ProfileSearch;
  const navigate = useNavigate();
  const which: ProfileSelector = { version: search.version, machine: search.machine };
  const top = useTop(name, which);
  const profiled = useProfiledFunctions();
  const about = profiled.data?.find((one) => one.function === name);
  const set = (change: ProfileSearch) =>
    void navigate({
      to: "/profiles/$function",
      params: { function: name },
      search: Object.fromEntries(
        Object.entries({ ...search, ...change }).filter(([, value]) => value),
      ) as ProfileSearch,
      replace: true,
    });

  return (
    <Page
      title={name}
      subtitle={
        top.data
          ? `${plural(top.data.executions, "execution")} measured, ${fineDuration(top.data.totalMs)} in all, ${fineDuration(top.data.totalMs / Math.max(1, top.data.executions))} each`
          : " "
      }
      actions={<Downloads name={name} />}
    >
      {top.error && <ErrorAlert error={top.error} onRetry={() => top.refetch()} />}
      {!top.data && !top.error && <Loader size="sm" role="status" aria-label="Loading" />}
      {top.data && (
        <Stack gap="md">
          {about && (about.codeVersions.length > 1 || about.machines.length > 1) && (
            <Group gap="sm">
              <Select
                aria-label="Version"
                placeholder="All versions"
                clearable
                size="xs"
                data={about.codeVersions}
                value={search.version ?? null}
                onChange={(version) => set({ version: version ?? undefined })}
              />
              <Select
                aria-label="Machine"
                placeholder="All machines"
                clearable
                size="xs"
                data={about.machines}
                value={search.machine ?? null}
                onChange={(machine) => set({ machine: machine ?? undefined })}
              />
            </Group>
          )}
          <Paper className="surface" radius="md">
            <Tabs
              value={search.tab ?? "table"}
              keepMounted={false}
              onChange={(tab) => set({ tab: tab === "table" ? undefined : (tab as ProfileSearch["tab"]) })}
            >
              <Tabs.List px="sm">
                <Tabs.Tab value="table">Functions</Tabs.Tab>
                <Tabs.Tab value="icicle">Icicle</Tabs.Tab>
                <Tabs.Tab value="diff">Compare</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="table" p="md">
                <CostsTab
                  items={top.data.items}
                  total={top.data.totalMs}
                  of={search.of}
                  pick={(of) => set({ of: search.of === of ? undefined : of })}
                />
                {search.of && <CallersAndCallees name={name} which={which} of={search.of} />}
              </Tabs.Panel>
              <Tabs.Panel value="icicle" p="md">
                <IcicleTab name={name} which={which} />
              </Tabs.Panel>
              <Tabs.Panel value="diff" p="md">
                <DiffTab name={name} about={about} search={search} set={set} />
              </Tabs.Panel>
            </Tabs>
          </Paper>
        </Stack>
      )}
    </Page>
  );
}

function Downloads({ name }: { name: string }) {
  const [busy, setBusy] = useState(false);
  const save = async (format: "prof" | "speedscope") => {
    setBusy(true);
    try {
      const answer = await call("GET", `/api/profiles/${encodeURIComponent(name)}/export`, {
        query: { format },
      });
      const address = URL.createObjectURL(await answer.blob());
      const link = document.createElement("a");
      link.href = address;
      link.download = `${name}.${format === "prof" ? "prof" : "speedscope.json"}`;
      link.click();
      URL.revokeObjectURL(address);
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={15} />}
        loading={busy}
        onClick={() => save("prof")}
      >
        pstats
      </Button>
      <Button
        variant="default"
        leftSection={<IconDownload size={15} />}
        loading={busy}
        onClick={() => save("speedscope")}
      >
        speedscope
      </Button>
    </>
  );
}

export function PlaceLabel({ place }: { place: Pick<CodePlace, "name" | "file"> & { line?: number } }) {
  return (
    <>
      <Text span size="sm" ff="monospace" style={{ overflowWrap: "anywhere" }}>
        {place.name}
      </Text>
      <Text size="xs" c="dimmed" truncate maw={420}>
        {place.file === "~" ? "built into Python" : `${place.file}${place.line ? `:${place.line}` : ""}`}
      </Text>
    </>
  );
}

function CostsTab({
  items,
  total,
  of,
  pick,
}: {
  items: FunctionCost[];
  total: number;
  of: string | undefined;
  pick: (name: string) => void;
}) {
  const columns = useMemo<ColumnDef<FunctionCost>[]>(
    () => [
      {
        accessorKey: "name",
        header: "Function",
        meta: "text",
        cell: ({ row }) => <PlaceLabel place={row.original} />,
      },
      { accessorKey: "calls", header: "Calls", cell: ({ row }) => count(row.original.calls) },
      { accessorKey: "ownMs", header: "Own time", cell: ({ row }) => fineDuration(row.original.ownMs) },
      { accessorKey: "ownShare", header: "Share", cell: ({ row }) => <Share of={row.original.ownShare} /> },
      {
        accessorKey: "totalMs",
        header: "With callees",
        cell: ({ row }) => fineDuration(row.original.totalMs),
      },
      {
        id: "each",
        header: "Each call",
        accessorFn: (row) => (row.calls ? row.totalMs / row.calls : 0),
        cell: ({ row }) =>
          fineDuration(row.original.calls ? row.original.totalMs / row.original.calls : null),
      },
    ],
    [],
  );
  return (
    <>
      <CostTable
        label={`Functions, ${fineDuration(total)} in all`}
        rows={items}
        columns={columns}
        first={[{ id: "ownMs", desc: true }]}
        pick={(row) => pick(row.name)}
        picked={(row) => row.name === of}
      />
      {!of && (
        <Text size="xs" c="dimmed" mt="xs">
          Click a function to see who calls it and whom it calls.
        </Text>
      )}
    </>
  );
}

function CallersAndCallees({ name, which, of }: { name: string; which: ProfileSelector; of: string }) {
  const pairs = useCallers(name, which, of);
  const into = pairs.data?.items.filter((pair) => pair.callee.name === of) ?? [];
  const outOf = pairs.data?.items.filter((pair) => pair.caller.name === of) ?? [];
  if (pairs.isPending) return <Loader size="sm" mt="md" />;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} mt="lg">
      <PairTable title={`Who calls ${of}`} pairs={into} side="caller" />
      <PairTable title={`Whom ${of} calls`} pairs={outOf} side="callee" />
    </SimpleGrid>
  );
}

function PairTable({ title, pairs, side }: { title: string; pairs: PairCost[]; side: "caller" | "callee" }) {
  const columns = useMemo<ColumnDef<PairCost>[]>(
    () => [
      {
        id: "name",
        header: "Function",
        meta: "text",
        accessorFn: (row) => row[side].name,
        cell: ({ row }) => <PlaceLabel place={row.original[side]} />,
      },
      { accessorKey: "calls", header: "Calls", cell: ({ row }) => count(row.original.calls) },
      { accessorKey: "totalMs", header: "Time", cell: ({ row }) => fineDuration(row.original.totalMs) },
    ],
    [side],
  );
  return (
    <div>
      <Title order={3} size="h4" mb="xs" style={{ overflowWrap: "anywhere" }}>
        {title}
      </Title>
      {pairs.length ? (
        <CostTable label={title} rows={pairs} columns={columns} first={[{ id: "totalMs", desc: true }]} />
      ) : (
        <Text size="sm" c="dimmed">
          Nobody.
        </Text>
      )}
    </div>
  );
}

function IcicleTab({ name, which }: { name: string; which: ProfileSelector }) {
  const stacks = useStacks(name, which);
  const tree = useMemo(() => stacks.data && buildStackTree(stacks.data, name), [stacks.data, name]);
  if (stacks.error) return <ErrorAlert error={stacks.error} onRetry={() => stacks.refetch()} />;
  if (!tree) return <Loader size="sm" role="status" aria-label="Loading" />;
  const estimated = /estimate/i.test(
    `${stacks.data?.name} ${stacks.data?.profiles.map((one) => one.name).join(" ")}`,
  );
  return (
    <Stack gap="sm">
      {estimated && (
        <Alert p="xs" color="gray" icon={<IconInfoCircle size={16} />}>
          An estimate: only callers and callees were measured, so the time of a function is divided among its
          callers as their calls were.
        </Alert>
      )}
      <Suspense fallback={<Loader size="sm" />}>
        <IcicleChart tree={tree} />
      </Suspense>
    </Stack>
  );
}

function DiffTab({
  name,
  about,
  search,
  set,
}: {
  name: string;
  about: Schemas["ProfiledFunction"] | undefined;
  search: ProfileSearch;
  set: (change: ProfileSearch) => void;
}) {
  const sides = [
    {
      group: "Versions",
      items: (about?.codeVersions ?? []).map((one) => ({ value: `version:${one}`, label: one })),
    },
    {
      group: "Machines",
      items: (about?.machines ?? []).map((one) => ({ value: `machine:${one}`, label: one })),
    },
  ];
  const versions = about?.codeVersions ?? [];
  const a = search.a ?? (versions.length > 1 ? `version:${versions.at(-2)}` : undefined);
  const b = search.b ?? (versions.length > 1 ? `version:${versions.at(-1)}` : undefined);
  const diff = useDiff(name, a, b);
  const columns = useMemo<ColumnDef<Schemas["Diff"]["items"][number]>[]>(
    () => [
      {
        accessorKey: "name",
        header: "Function",
        meta: "text",
        cell: ({ row }) => <PlaceLabel place={row.original} />,
      },
      { accessorKey: "ownMsA", header: "Own, before", cell: ({ row }) => fineDuration(row.original.ownMsA) },
      { accessorKey: "ownMsB", header: "Own, after", cell: ({ row }) => fineDuration(row.original.ownMsB) },
      {
        accessorKey: "ownMsChange",
        header: "Change",
        sortingFn: (one, other) => Math.abs(one.original.ownMsChange) - Math.abs(other.original.ownMsChange),
        cell: ({ row }) => (
          <Text
            span
            size="sm"
            fw={600}
            c={row.original.ownMsChange > 0 ? "var(--wr-wrong)" : "var(--wr-right)"}
          >
            {row.original.ownMsChange > 0 ? "+" : "−"}
            {fineDuration(Math.abs(row.original.ownMsChange))}
          </Text>
        ),
      },
      {
        accessorKey: "callsA",
        header: "Calls, before",
        cell: ({ row }) => count(Math.round(row.original.callsA * 10) / 10),
      },
      {
        accessorKey: "callsB",
        header: "Calls, after",
        cell: ({ row }) => count(Math.round(row.original.callsB * 10) / 10),
      },
    ],
    [],
  );
  const each = (totals: { totalMs: number; executions: number }) =>
    totals.totalMs / Math.max(1, totals.executions);
  return (
    <Stack gap="md">
      <Group gap="sm">
        <Select
          label="Before"
          size="xs"
          w={220}
          data={sides}
          value={a ?? null}
          searchable
          onChange={(value) => set({ a: value ?? undefined })}
        />
        <Select
          label="After"
          size="xs"
          w={220}
          data={sides}
          value={b ?? null}
          searchable
          onChange={(value) => set({ b: value ?? undefined })}
        />
        {diff.data && (
          <Text size="sm" mt="auto" mb={6}>
            each execution: {fineDuration(each(diff.data.a))} → <b>{fineDuration(each(diff.data.b))}</b>
          </Text>
        )}
      </Group>
      {diff.error && <ErrorAlert error={diff.error} />}
      {!a || !b ? (
        <Text size="sm" c="dimmed">
          Choose two versions or two machines. Times are for each execution, so that a larger sample does not
          look slower.
        </Text>
      ) : (
        diff.data && (
          <CostTable
            label="What changed"
            rows={diff.data.items}
            columns={columns}
            first={[{ id: "ownMsChange", desc: true }]}
          />
        )
      )}
    </Stack>
  );
}
