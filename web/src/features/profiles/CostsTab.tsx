// The table of costs of a profile, and the callers and callees of the selected function.
import { Loader, SimpleGrid, Text, Title } from "@mantine/core";
import type { ColumnDef } from "@tanstack/react-table";
import { useMemo } from "react";
import { count, fineDuration } from "@/lib/format";
import { PlaceLabel } from "./PlaceLabel";
import { type FunctionCost, type PairCost, type ProfileSelector, useCallers } from "./queries";
import { Share, SortableTable } from "./SortableTable";
export function CostsTab({
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
      <SortableTable
        label={`Functions, ${fineDuration(total)} in all`}
        rows={items}
        columns={columns}
        first={[{ id: "ownMs", desc: true }]}
        pick={(row) => pick(row.name)}
        picked={(row) => row.name === of}
      />
      {!of && (
        <Text size="xs" c="dimmed" mt="xs">
          Click a function to see its callers and callees.
        </Text>
      )}
    </>
  );
}

export function CallersAndCallees({ name, which, of }: { name: string; which: ProfileSelector; of: string }) {
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
        <SortableTable label={title} rows={pairs} columns={columns} first={[{ id: "totalMs", desc: true }]} />
      ) : (
        <Text size="sm" c="dimmed">
          None.
        </Text>
      )}
    </div>
  );
}
