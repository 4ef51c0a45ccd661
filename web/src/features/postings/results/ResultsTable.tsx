// The jobs of a posting as a table: the parameters that differ, the state and the result. Its columns sort the rows.
import { Box, Button, Group, Table, Text, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconDownload } from "@tabler/icons-react";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { StateBadge } from "@/components/jobs/StateBadge";
import { AnchorLink } from "@/components/RouterLinks";
import { ValueView } from "@/components/ValueView";
import { openSink } from "@/lib/fileSink";
import { count, number } from "@/lib/format";
import { type Posting, pagesOfRows, type ResultRow } from "../queries";
import { flattenArguments } from "../sweep/gridAxes";
import {
  asText,
  compareValues,
  namedArguments,
  resultColumns,
  resultValues,
  varyingPaths,
  WHOLE_RESULT,
} from "./argumentAndResultColumns";
import { writeCsv } from "./csv";

const SHOWN_ROWS = 200;
const MAX_PARAMETERS = 10;
const MAX_RESULT_COLUMNS = 6;

interface SortBy {
  column: string;
  descending: boolean;
}

export function ResultsTable({
  posting,
  rows,
  more,
}: {
  posting: Posting;
  /** With their arguments by name. */
  rows: ResultRow[];
  /** Fetches the next page; undefined when all jobs are here. */
  more: ReactNode;
}) {
  const parameters = useMemo(() => varyingPaths(rows).slice(0, MAX_PARAMETERS), [rows]);
  const results = useMemo(
    () =>
      resultColumns(
        rows.flatMap((row) => (row.status === "completed" ? [row.result] : [])),
        MAX_RESULT_COLUMNS,
      ),
    [rows],
  );
  const [sort, setSort] = useState<SortBy>({ column: "#", descending: false });
  const [shown, setShown] = useState(SHOWN_ROWS);
  const sorted = useMemo(() => sortRows(rows, sort), [rows, sort]);
  const head = (column: string, label: string, width?: number) => (
    <SortedHead key={column} column={column} label={label} width={width} sort={sort} change={setSort} />
  );
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Text size="xs" c="dimmed">
          {more && sort.column !== "#" ? `Sorted among the first ${count(rows.length)} jobs.` : ""}
        </Text>
        <CsvButton posting={posting} />
      </Group>
      <Table.ScrollContainer minWidth={300 + 110 * (parameters.length + results.length)}>
        <Table aria-label="Results" verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              {head("#", "#", 70)}
              {parameters.map((path) => head(`parameter ${path}`, path))}
              {head("state", "State", 130)}
              {results.map((path) => head(`result ${path}`, path === WHOLE_RESULT ? "Result" : path))}
              {results.length === 0 && <Table.Th>Result</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sorted.slice(0, shown).map((row) => (
              <ResultCells key={row.position} row={row} parameters={parameters} results={results} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group justify="center" mt="sm">
        {shown < sorted.length ? (
          <Button variant="default" onClick={() => setShown(shown + SHOWN_ROWS)}>
            More
          </Button>
        ) : (
          more
        )}
      </Group>
    </>
  );
}

function sortRows(rows: ResultRow[], { column, descending }: SortBy): ResultRow[] {
  if (column === "#") return descending ? rows.toReversed() : rows;
  const path = column.slice(column.indexOf(" ") + 1);
  const value = (row: ResultRow) =>
    column === "state"
      ? row.status
      : column.startsWith("parameter ")
        ? flattenArguments(row.data).get(path)
        : row.status === "completed"
          ? resultValues(row.result).get(path)
          : undefined;
  return rows
    .map((row) => ({ row, value: value(row) }))
    .sort((one, other) => compareValues(one.value, other.value, descending))
    .map(({ row }) => row);
}

function SortedHead({
  column,
  label,
  width,
  sort,
  change,
}: {
  column: string;
  label: string;
  width?: number;
  sort: SortBy;
  change: (sort: SortBy) => void;
}) {
  const chosen = sort.column === column;
  const Icon = sort.descending ? IconChevronDown : IconChevronUp;
  return (
    <Table.Th w={width} aria-sort={chosen ? (sort.descending ? "descending" : "ascending") : "none"}>
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        style={{ whiteSpace: "nowrap" }}
        onClick={() => change({ column, descending: chosen && !sort.descending })}
      >
        {label}
        {chosen && <Icon size={12} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  );
}

function ResultCells({
  row,
  parameters,
  results,
}: {
  row: ResultRow;
  parameters: string[];
  results: string[];
}) {
  const data = flattenArguments(row.data);
  const completed = row.status === "completed";
  const values = completed ? resultValues(row.result) : new Map<string, unknown>();
  return (
    <Table.Tr data-status={row.status}>
      <Table.Td className="numbers">
        <AnchorLink to="/jobs/$job" params={{ job: row.jobId }} size="sm">
          {row.position}
        </AnchorLink>
      </Table.Td>
      {parameters.map((path) => (
        <Table.Td key={path}>
          <ShortValue value={data.get(path)} />
        </Table.Td>
      ))}
      <Table.Td>
        <StateBadge state={row.status} />
      </Table.Td>
      {row.error ? (
        <Table.Td colSpan={Math.max(1, results.length)}>
          <Text size="sm" c="var(--wr-wrong)" lineClamp={2} style={{ overflowWrap: "anywhere" }}>
            {row.error.type}: {row.error.message}
          </Text>
        </Table.Td>
      ) : results.length ? (
        results.map((path) => (
          <Table.Td key={path}>
            <ShortValue value={values.get(path)} />
          </Table.Td>
        ))
      ) : (
        <Table.Td>{completed && <ValueView value={row.result} depth={1} />}</Table.Td>
      )}
    </Table.Tr>
  );
}

function ShortValue({ value }: { value: unknown }) {
  if (value === undefined) return null;
  const text = typeof value === "number" ? number(value) : asText(value);
  return (
    <Text size="sm" className="numbers" truncate maw={260} title={asText(value)}>
      {text}
    </Text>
  );
}

/** Downloads all jobs, also those that the table does not show yet. */
function CsvButton({ posting }: { posting: Posting }) {
  const [fetched, setFetched] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const running = useRef<AbortController>(null);
  const download = async () => {
    setFetched(0);
    setFailure(null);
    running.current = new AbortController();
    const { signal } = running.current;
    async function* pages() {
      let rows = 0;
      for await (const page of pagesOfRows(posting, signal)) {
        yield page.map((row) => ({ ...row, data: namedArguments(row.data, posting.scope === "function") }));
        rows += page.length;
        setFetched(rows);
      }
    }
    try {
      const file = await writeCsv(pages, openSink);
      await file.save(`${posting.label || posting.name}.csv`.replaceAll(/[^\w .-]/g, "_"));
    } catch (error) {
      if (!signal.aborted) setFailure((error as Error).message);
    } finally {
      setFetched(null);
    }
  };
  return (
    <Box>
      {fetched === null ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={14} />}
          onClick={() => void download()}
        >
          Download CSV
        </Button>
      ) : (
        <Button size="xs" variant="default" onClick={() => running.current?.abort()}>
          Cancel ({count(fetched)} of {count(posting.total)})
        </Button>
      )}
      {failure && (
        <Text size="xs" c="var(--wr-wrong)" role="alert">
          {failure}
        </Text>
      )}
    </Box>
  );
}
