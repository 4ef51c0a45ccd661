import { Box, Table, Text, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import {
  type ColumnDef,
  flexRender,
  getCoreRowModel,
  getSortedRowModel,
  type SortingState,
  useReactTable,
} from "@tanstack/react-table";
import { useState } from "react";

/** A table that can be sorted by every column; numbers are right-aligned. */
export function SortableTable<Row>({
  label,
  rows,
  columns,
  first,
  pick,
  picked,
}: {
  label: string;
  rows: Row[];
  columns: ColumnDef<Row>[];
  first: SortingState;
  pick?: (row: Row) => void;
  picked?: (row: Row) => boolean;
}) {
  const [sorting, setSorting] = useState<SortingState>(first);
  const table = useReactTable({
    data: rows,
    columns,
    state: { sorting },
    onSortingChange: setSorting,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
  });
  const right = (column: { columnDef: { meta?: unknown } }) =>
    column.columnDef.meta === "text" ? undefined : "right";
  return (
    <Table.ScrollContainer minWidth={680} maxHeight={560}>
      <Table highlightOnHover stickyHeader verticalSpacing={5} aria-label={label}>
        <Table.Thead bg="var(--wr-surface)">
          {table.getHeaderGroups().map((group) => (
            <Table.Tr key={group.id}>
              {group.headers.map((header) => {
                const sorted = header.column.getIsSorted();
                return (
                  <Table.Th
                    key={header.id}
                    ta={right(header.column)}
                    aria-sort={sorted === "asc" ? "ascending" : sorted === "desc" ? "descending" : "none"}
                  >
                    <UnstyledButton onClick={header.column.getToggleSortingHandler()} fz="xs" fw={600}>
                      {flexRender(header.column.columnDef.header, header.getContext())}
                      {sorted === "asc" && <IconArrowUp size={11} />}
                      {sorted === "desc" && <IconArrowDown size={11} />}
                    </UnstyledButton>
                  </Table.Th>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Thead>
        <Table.Tbody>
          {table.getRowModel().rows.map((row) => (
            <Table.Tr
              key={row.id}
              bg={picked?.(row.original) ? "var(--mantine-primary-color-light)" : undefined}
              style={pick ? { cursor: "pointer" } : undefined}
              onClick={() => pick?.(row.original)}
            >
              {row.getVisibleCells().map((cell) => (
                <Table.Td key={cell.id} ta={right(cell.column)} className="numbers">
                  {flexRender(cell.column.columnDef.cell, cell.getContext())}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

export function Share({ of, colour = "--wr-running" }: { of: number; colour?: string }) {
  return (
    <Box style={{ display: "flex", alignItems: "center", gap: 6, justifyContent: "flex-end" }}>
      <Box
        style={{
          width: 60,
          height: 6,
          borderRadius: 3,
          background: "color-mix(in srgb, var(--wr-quiet) 15%, transparent)",
        }}
      >
        <Box
          style={{
            width: `${Math.min(of, 1) * 100}%`,
            height: "100%",
            borderRadius: 3,
            background: `var(${colour})`,
          }}
        />
      </Box>
      <Text span size="xs" w={44} ta="right">
        {(of * 100).toFixed(1)} %
      </Text>
    </Box>
  );
}
