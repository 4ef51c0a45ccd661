// Fields of a form that can be turned into ranges, and the values of a range.
import type { RJSFSchema } from "@rjsf/utils";
import { isSecret } from "@/components/form/formValues";
import { type NumberRange, numberRange } from "@/components/form/numberRange";

export interface SweepField {
  path: string[];
  title: string;
  unit?: string;
  kind: "number" | "integer" | "choice" | "boolean" | "string";
  choices?: unknown[];
  /** The allowed values of a number. */
  range?: NumberRange;
}

/** All single values of a schema, also those inside objects. */
export function sweepFields(schema: RJSFSchema, path: string[] = [], titles: string[] = []): SweepField[] {
  return Object.entries((schema.properties ?? {}) as Record<string, RJSFSchema & { unit?: string }>).flatMap(
    ([name, inner]) => {
      const at = [...path, name];
      const title = [...titles, inner.title ?? name];
      if (inner.properties) return sweepFields(inner, at, title);
      const base = { path: at, title: title.join(" · "), unit: inner.unit };
      if (inner.const !== undefined || isSecret(inner)) return [];
      if (inner.enum) return [{ ...base, kind: "choice" as const, choices: inner.enum }];
      if (inner.type === "number" || inner.type === "integer")
        return [{ ...base, kind: inner.type, range: numberRange(inner) }];
      if (inner.type === "boolean") return [{ ...base, kind: "boolean" as const }];
      if (inner.type === "string") return [{ ...base, kind: "string" as const }];
      return [];
    },
  );
}

export interface SweepRange {
  from: number;
  to: number;
  count: number;
  spacing: "even" | "log";
}

/** The points of a range, rounded to short numbers. */
export function rangeValues({ from, to, count, spacing }: SweepRange, whole: boolean): number[] {
  const points = Math.max(1, Math.floor(count));
  const values = Array.from({ length: points }, (_, at) => {
    const share = points === 1 ? 0 : at / (points - 1);
    const value =
      spacing === "log" && from > 0 && to > 0 ? from * (to / from) ** share : from + (to - from) * share;
    return whole ? Math.round(value) : Number(value.toPrecision(6));
  });
  return [...new Set(values)];
}

/** Parse a list of values of the field's type; null if one does not fit. */
export function parseValues(text: string, kind: SweepField["kind"]): unknown[] | null {
  const parts = text
    .split(/[,;\n]+/)
    .map((part) => part.trim())
    .filter(Boolean);
  if (kind === "string") return parts;
  const numbers = parts.map(Number);
  if (numbers.some((value) => !Number.isFinite(value) || (kind === "integer" && !Number.isInteger(value))))
    return null;
  return numbers;
}
