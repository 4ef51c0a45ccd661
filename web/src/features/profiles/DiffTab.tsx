// The costs of two versions or two machines side by side.
import { Group, Select, Stack, Text } from "@mantine/core";
import type { ColumnDef } from "@tanstack/react-table";
import { useMemo } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import type { Schemas } from "@/lib/api/client";
import { count, fineDuration } from "@/lib/format";
import { PlaceLabel } from "./PlaceLabel";
import type { ProfileSearch } from "./profileSearch";
import { useDiff } from "./queries";
import { SortableTable } from "./SortableTable";
export function DiffTab({
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
      {diff.isLoadingError && <ErrorAlert error={diff.error} />}
      {!a || !b ? (
        <Text size="sm" c="dimmed">
          Choose two versions or two machines. Times are for each execution, so that a larger sample does not
          look slower.
        </Text>
      ) : (
        diff.data && (
          <SortableTable
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
