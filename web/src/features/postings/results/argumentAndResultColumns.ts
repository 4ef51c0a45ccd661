// The arguments and results of posted jobs as columns: names, values, numbers.
import { axesOf, flattenArguments } from "../sweep/gridAxes";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The name under which a result that is a single value is shown. */
export const WHOLE_RESULT = "result";

/** Arguments by name. A function is called with positional arguments, which have numbers instead. */
export function namedArguments(data: unknown, isFunction: boolean): unknown {
  if (!isFunction || !isRecord(data)) return data;
  const positional = Array.isArray(data.args) ? data.args : [];
  return {
    ...Object.fromEntries(positional.map((value, at) => [`argument ${at + 1}`, value])),
    ...(isRecord(data.kwargs) ? data.kwargs : {}),
  };
}

/** The single values of a result by path. */
export function resultValues(result: unknown): Map<string, unknown> {
  return isRecord(result) ? flattenArguments(result) : new Map([[WHOLE_RESULT, result]]);
}

/** The paths under which results have numbers. */
export function numericPaths(results: readonly unknown[]): string[] {
  const paths = new Set<string>();
  for (const result of results)
    for (const [path, value] of resultValues(result)) if (isNumber(value)) paths.add(path);
  return [...paths];
}

export function numberAt(result: unknown, path: string): number | null {
  const value = resultValues(result).get(path);
  return isNumber(value) ? value : null;
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

/** The paths of a table's columns for results: none where results are long or nested lists. */
export function resultColumns(results: readonly unknown[], most: number): string[] {
  const paths = new Set<string>();
  for (const result of results)
    for (const [path, value] of resultValues(result)) {
      if (typeof value === "object" && value !== null) return [];
      paths.add(path);
    }
  return paths.size <= most ? [...paths] : [];
}

/** The arguments that differ between jobs, in the order in which the arguments have them. */
export function varyingPaths(jobs: readonly { data: unknown }[]): string[] {
  const varying = new Set(axesOf([...jobs]).map((axis) => axis.path));
  const order = new Set(jobs.flatMap((job) => [...flattenArguments(job.data).keys()]));
  return [...order].filter((path) => varying.has(path));
}

/** Numbers by size and before texts; what is missing comes last in both directions. */
export function compareValues(one: unknown, other: unknown, descending: boolean): number {
  const missing = (value: unknown) => value === undefined || value === null;
  if (missing(one) || missing(other)) return Number(missing(one)) - Number(missing(other));
  const sign = descending ? -1 : 1;
  if (typeof one === "number" && typeof other === "number") return sign * (one - other);
  if (typeof one === "number" || typeof other === "number") return sign * (typeof one === "number" ? -1 : 1);
  return sign * asText(one).localeCompare(asText(other));
}

export const asText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");
