// Any JSON value as something to read: objects as rows, lists of alike objects as tables, numbers without noise.
import { Anchor, Table, Text } from "@mantine/core";
import { useState } from "react";
import { number } from "@/lib/format";

const MAX_ITEMS = 50;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function ValueView({ value, depth = 0 }: { value: unknown; depth?: number }) {
  const [all, setAll] = useState(false);
  if (value === null || value === undefined)
    return (
      <Text size="sm" c="dimmed">
        none
      </Text>
    );
  if (typeof value === "boolean") return <Text size="sm">{value ? "yes" : "no"}</Text>;
  if (typeof value === "number")
    return (
      <Text size="sm" className="numbers" title={String(value)}>
        {number(value)}
      </Text>
    );
  if (typeof value === "string")
    return (
      <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {value || "(empty)"}
      </Text>
    );
  if (depth > 5)
    return (
      <Text size="sm" ff="monospace">
        {JSON.stringify(value).slice(0, 500)}
      </Text>
    );
  const more = (length: number) =>
    length > MAX_ITEMS && !all ? (
      <Anchor component="button" type="button" size="xs" onClick={() => setAll(true)}>
        Show all {length}
      </Anchor>
    ) : null;
  if (Array.isArray(value)) {
    if (!value.length)
      return (
        <Text size="sm" c="dimmed">
          empty list
        </Text>
      );
    const some = all ? value : value.slice(0, MAX_ITEMS);
    if (value.every((one) => typeof one === "number" || typeof one === "string"))
      return (
        <>
          <Text size="sm" className="numbers" style={{ overflowWrap: "anywhere" }}>
            {some.map((one) => (typeof one === "number" ? number(one) : one)).join(", ")}
          </Text>
          {more(value.length)}
        </>
      );
    if (value.every(isRecord)) {
      const columns = [...new Set(value.flatMap((row) => Object.keys(row)))];
      if (columns.length <= 8)
        return (
          <>
            <Table.ScrollContainer minWidth={columns.length * 90}>
              <Table withRowBorders={false} striped>
                <Table.Thead>
                  <Table.Tr>
                    {columns.map((column) => (
                      <Table.Th key={column}>{column}</Table.Th>
                    ))}
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {(some as Record<string, unknown>[]).map((row, at) => (
                    <Table.Tr key={at}>
                      {columns.map((column) => (
                        <Table.Td key={column}>
                          <ValueView value={row[column]} depth={depth + 1} />
                        </Table.Td>
                      ))}
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            {more(value.length)}
          </>
        );
    }
    return <Rows rows={some.map((one, at) => [String(at), one])} depth={depth} more={more(value.length)} />;
  }
  const entries = Object.entries(value as object);
  if (!entries.length)
    return (
      <Text size="sm" c="dimmed">
        none
      </Text>
    );
  return (
    <Rows rows={all ? entries : entries.slice(0, MAX_ITEMS)} depth={depth} more={more(entries.length)} />
  );
}

function Rows({ rows, depth, more }: { rows: [string, unknown][]; depth: number; more: React.ReactNode }) {
  return (
    <>
      <Table withRowBorders={depth === 0} verticalSpacing={4} horizontalSpacing={0}>
        <Table.Tbody>
          {rows.map(([name, inner]) => (
            <Table.Tr key={name}>
              <Table.Td c="dimmed" pr="md" w={1} style={{ verticalAlign: "top", whiteSpace: "nowrap" }}>
                {name}
              </Table.Td>
              <Table.Td>
                <ValueView value={inner} depth={depth + 1} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {more}
    </>
  );
}
