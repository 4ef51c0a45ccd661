// The jobs of a posting as comma-separated values: parameters, state and result.

import { flattenArguments } from "../sweep/gridAxes";
import { asText, resultValues } from "./argumentAndResultColumns";

export interface CsvRow {
  position: number;
  status: string;
  data: unknown;
  result: unknown;
  error: { type: string; message: string } | null;
}

/** One line for each job. A column of a result that has the name of a parameter or of another column is named `result.…`. */
export function toCsv(rows: readonly CsvRow[]): string {
  const parameters = new Set(rows.flatMap((row) => [...flattenArguments(row.data).keys()]));
  const results = new Set(
    rows.flatMap((row) => (row.status === "completed" ? [...resultValues(row.result).keys()] : [])),
  );
  const taken = new Set(["position", "state", "error", ...parameters]);
  const head = [
    "position",
    "state",
    ...parameters,
    ...[...results].map((path) => (taken.has(path) ? `result.${path}` : path)),
    "error",
  ];
  const lines = rows.map((row) => {
    const data = flattenArguments(row.data);
    const values = row.status === "completed" ? resultValues(row.result) : new Map<string, unknown>();
    return [
      row.position,
      row.status,
      ...[...parameters].map((path) => data.get(path)),
      ...[...results].map((path) => values.get(path)),
      row.error && `${row.error.type}: ${row.error.message}`,
    ];
  });
  return [head, ...lines].map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = asText(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
