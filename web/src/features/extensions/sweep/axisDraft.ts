import { parseValues, rangeValues, type SweepField, type SweepRange } from "./sweepFields";

export interface AxisDraft {
  field: SweepField;
  range: SweepRange;
  text: string;
  chosen: unknown[];
  typed: boolean;
}

export function axisFor(field: SweepField, current: unknown): AxisDraft {
  const low = field.low ?? (typeof current === "number" ? current / 2 : 0);
  const high = field.high ?? (typeof current === "number" ? current * 2 || 1 : 1);
  return {
    field,
    range: { from: low, to: high, count: 5, spacing: "even" },
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
