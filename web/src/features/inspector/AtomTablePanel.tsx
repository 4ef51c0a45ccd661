// All atoms of the current frame as a table: sortable, and linked with the selection. Only the rows in view are rendered.
import { Center, Group, Switch, Text } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { structureOf } from "@/lib/atoms/structure";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import { select, toggled, union, useSelection } from "@/lib/room/selectionStore";
import { useRestingStep, useWholeFrame } from "@/live/room/useWholeFrame";
import classes from "./AtomTable.module.css";
import { everyAtom, type Sorting, sortedAtoms, type TableColumn, tableColumns } from "./atomTable";

const ROW_PX = 26;
const UNSORTED: Sorting = { column: "index", descending: false };

export default function AtomTablePanel({ room }: RoomPanelProps) {
  const step = useRestingStep();
  const { data: frame, isPlaceholderData, isLoadingError, error, refetch } = useWholeFrame(room, step);
  const structure = useMemo(() => (frame ? structureOf(frame) : null), [frame]);
  const columns = useMemo(() => (structure ? tableColumns(structure) : []), [structure]);
  const selected = useSelection((now) => now.atoms);
  const [onlySelected, setOnlySelected] = useState(false);
  const [sorting, setSorting] = useState(UNSORTED);
  const chosen = useMemo(() => new Set(selected), [selected]);
  const count = structure?.count ?? 0;
  const listed = onlySelected ? selected : null;
  const rows = useMemo(() => {
    const atoms = listed ? Int32Array.from(listed.filter((atom) => atom < count)).sort() : everyAtom(count);
    return sortedAtoms(atoms, columns, sorting);
  }, [listed, count, columns, sorting]);

  if (isLoadingError) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (!structure)
    return (
      <Center h="100%">
        <Text size="sm" c="dimmed">
          The atoms of the current frame are listed here.
        </Text>
      </Center>
    );
  return (
    <div className={classes.panel}>
      <Group gap="md" px="sm" py={4} wrap="nowrap">
        <Text size="xs" c="dimmed" className="numbers">
          {rows.length.toLocaleString("en")} of {count.toLocaleString("en")} atoms,{" "}
          {isPlaceholderData ? "loading …" : `frame ${step}`}
        </Text>
        <Switch
          size="xs"
          label="Only selected"
          checked={onlySelected}
          onChange={(event) => setOnlySelected(event.currentTarget.checked)}
        />
      </Group>
      <Rows rows={rows} columns={columns} chosen={chosen} sorting={sorting} onSort={setSorting} />
    </div>
  );
}

interface RowsProps {
  rows: Int32Array;
  columns: readonly TableColumn[];
  chosen: ReadonlySet<number>;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
}

function Rows({ rows, columns, chosen, sorting, onSort }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const anchor = useRef<number | null>(null);
  const name = useId();
  /** The row that the keys act on. */
  const [cursor, setCursor] = useState(0);
  const at = Math.min(cursor, rows.length - 1);
  /** What this table selected itself; it need not be scrolled to. */
  const own = useRef<readonly number[] | null>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });

  const selected = useSelection((now) => now.atoms);
  useEffect(() => {
    if (selected === own.current || selected.length === 0) return;
    const row = rows.indexOf(selected.at(-1)!);
    if (row >= 0) virtual.scrollToIndex(row, { align: "auto" });
  }, [selected, rows, virtual]);

  const choose = (row: number, event: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean }) => {
    const atom = rows[row]!;
    setCursor(row);
    const from = anchor.current === null ? -1 : rows.indexOf(anchor.current);
    if (event.shiftKey && from >= 0) {
      const range = rows.slice(Math.min(from, row), Math.max(from, row) + 1);
      select(union(selected, [...range]));
    } else {
      anchor.current = atom;
      if (event.ctrlKey || event.metaKey) select(toggled(selected, atom));
      else select(selected.length === 1 && selected[0] === atom ? [] : [atom]);
    }
    own.current = useSelection.getState().atoms;
  };

  const moveTo = (row: number, event: KeyboardEvent) => {
    const next = Math.max(0, Math.min(rows.length - 1, row));
    if (event.shiftKey) {
      if (anchor.current === null) anchor.current = rows[at]!;
      choose(next, { shiftKey: true, ctrlKey: false, metaKey: false });
    } else {
      anchor.current = rows[next]!;
      setCursor(next);
    }
    virtual.scrollToIndex(next, { align: "auto" });
  };
  const press = (event: KeyboardEvent) => {
    if (rows.length === 0 || (event.target as HTMLElement).closest("button")) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 2);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -rows.length,
      End: rows.length,
    };
    const by = steps[event.key];
    if (by !== undefined) moveTo(at + by, event);
    else if (event.key === "Enter") choose(at, { shiftKey: false, ctrlKey: false, metaKey: false });
    else if (event.key === " ") choose(at, { shiftKey: false, ctrlKey: true, metaKey: false });
    else return;
    event.preventDefault();
  };

  // Head and rows are grids of their own: fixed widths keep their columns in line.
  const template = columns.map((column) => `${columnWidth(column)}px`).join(" ");
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      role="grid"
      aria-label="Atoms"
      aria-multiselectable
      aria-rowcount={rows.length + 1}
      aria-activedescendant={rows.length ? `${name}-${at}` : undefined}
      tabIndex={0}
      onKeyDown={press}
    >
      <div className={classes.head} role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        {columns.map(({ id, label, unit, numeric }) => {
          const here = sorting.column === id;
          return (
            <div
              key={id}
              role="columnheader"
              aria-sort={here ? (sorting.descending ? "descending" : "ascending") : "none"}
            >
              <button
                type="button"
                data-numeric={numeric || undefined}
                onClick={() => onSort({ column: id, descending: here && !sorting.descending })}
              >
                {label}
                {unit && <small> {unit}</small>}
                {here &&
                  (sorting.descending ? (
                    <IconArrowDown size={12} aria-hidden />
                  ) : (
                    <IconArrowUp size={12} aria-hidden />
                  ))}
              </button>
            </div>
          );
        })}
      </div>
      <div style={{ height: virtual.getTotalSize(), position: "relative" }} role="rowgroup">
        {virtual.getVirtualItems().map(({ index, start }) => {
          const atom = rows[index]!;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the table has the focus and handles the keys for all rows
            <div
              key={atom}
              id={`${name}-${index}`}
              role="row"
              tabIndex={-1}
              data-cursor={index === at || undefined}
              className={classes.row}
              data-atom={atom}
              aria-selected={chosen.has(atom)}
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${start}px)`, gridTemplateColumns: template }}
              onClick={(event) => choose(index, event)}
            >
              {columns.map(({ id, numeric, text }) => (
                <span key={id} role="gridcell" data-numeric={numeric || undefined}>
                  {text(atom)}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function columnWidth({ label, unit }: TableColumn): number {
  const letters = label.length + (unit ? unit.length + 1 : 0);
  return Math.max(84, 7.5 * letters + 34);
}
