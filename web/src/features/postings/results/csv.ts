// The jobs of a posting as comma-separated values: parameters, state and result.

import type { FileSink } from "@/lib/fileSink";
import { flattenArguments } from "../sweep/gridAxes";
import { asText, resultValues } from "./argumentAndResultColumns";

export interface CsvRow {
  position: number;
  status: string;
  data: unknown;
  result: unknown;
  error: { type: string; message: string } | null;
}

/** The parameters and the values of results that rows have. */
export class CsvColumns {
  private readonly parameters = new Set<string>();
  private readonly results = new Set<string>();

  /** Whether the rows have no further columns; those are added. */
  add(rows: readonly CsvRow[]): boolean {
    const before = this.parameters.size + this.results.size;
    for (const row of rows) {
      for (const path of flattenArguments(row.data).keys()) this.parameters.add(path);
      if (row.status === "completed")
        for (const path of resultValues(row.result).keys()) this.results.add(path);
    }
    return this.parameters.size + this.results.size === before;
  }

  /** A column of a result that has the name of a parameter or of another column is named `result.…`. */
  head(): string {
    const taken = new Set(["position", "state", "error", ...this.parameters]);
    const results = [...this.results].map((path) => (taken.has(path) ? `result.${path}` : path));
    return toLine(["position", "state", ...this.parameters, ...results, "error"]);
  }

  /** One line for each job. */
  lines(rows: readonly CsvRow[]): string {
    return rows.map((row) => this.line(row)).join("");
  }

  private line(row: CsvRow): string {
    const data = flattenArguments(row.data);
    const values = row.status === "completed" ? resultValues(row.result) : new Map<string, unknown>();
    return toLine([
      row.position,
      row.status,
      ...[...this.parameters].map((path) => data.get(path)),
      ...[...this.results].map((path) => values.get(path)),
      row.error && `${row.error.type}: ${row.error.message}`,
    ]);
  }
}

/** Writes pages of rows without keeping them. If a later page has further columns, all pages are read and written again. */
export async function writeCsv(
  pages: () => AsyncIterable<readonly CsvRow[]>,
  open: () => Promise<FileSink>,
  columns = new CsvColumns(),
): Promise<FileSink> {
  const sink = await open();
  try {
    let [isFirst, isWhole] = [true, true];
    for await (const rows of pages()) {
      const isKnown = columns.add(rows);
      if (isFirst) await sink.write(columns.head());
      else isWhole &&= isKnown;
      if (isWhole) await sink.write(columns.lines(rows));
      isFirst = false;
    }
    if (isWhole) return sink;
  } catch (error) {
    await sink.discard().catch(() => undefined);
    throw error;
  }
  await sink.discard();
  return writeCsv(pages, open, columns);
}

const toLine = (values: unknown[]) => `${values.map(cell).join(",")}\r\n`;

function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = asText(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
