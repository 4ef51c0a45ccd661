import { parseValues, rangeValues, type SweepField, type SweepRange } from "./sweepFields";

export interface AxisDraft {
  field: SweepField;
  range: SweepRange;
  text: string;
  chosen: unknown[];
  typed: boolean;
}

/** The range begins and ends at the bounds of the field; without bounds it surrounds the current value. */
export function axisFor(field: SweepField, current: unknown): AxisDraft {
  const { lowest, highest, logarithmic = false } = field.range ?? {};
  const value = typeof current === "number" ? current : undefined;
  const from =
    value !== undefined && lowest !== undefined && value < lowest ? value : (lowest ?? (value ?? 0) / 2);
  const to = highest ?? Math.max((value ?? 0) * 2, from + 1);
  return {
    field,
    range: { from, to, count: 5, spacing: logarithmic ? "log" : "even" },
    text: current === undefined ? "" : String(current),
    chosen: field.kind === "boolean" ? [false, true] : (field.choices ?? []),
    typed: field.kind === "string",
  };
}

export function valuesOfAxis(axis: AxisDraft): unknown[] | null {
  if (axis.field.kind === "choice" || axis.field.kind === "boolean") return axis.chosen;
  if (axis.typed) return parseValues(axis.text, axis.field.kind);
  return rangeValues(axis.range, axis.field.kind === "integer");
}

export const valueAt = (data: unknown, path: string[]) =>
  path.reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], data);
