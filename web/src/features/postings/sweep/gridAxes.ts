// Derives the grid of a sweep from the arguments of its jobs: those that differ, and their values.

export interface GridAxis {
  path: string;
  values: unknown[];
}

interface GridJob {
  data: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Flattens arguments to single values by path; a list counts as one value. */
export function flattenArguments(data: unknown, path = ""): Map<string, unknown> {
  const found = new Map<string, unknown>();
  if (!isRecord(data)) {
    found.set(path, data);
    return found;
  }
  for (const [name, inner] of Object.entries(data))
    for (const [at, value] of flattenArguments(inner, path ? `${path}.${name}` : name)) found.set(at, value);
  return found;
}

export const keyOf = (value: unknown) => JSON.stringify(value) ?? "undefined";

/** The arguments that differ between jobs, the one with the most values last. */
export function axesOf(jobs: GridJob[]): GridAxis[] {
  const values = new Map<string, Map<string, unknown>>();
  for (const job of jobs)
    for (const [path, value] of flattenArguments(job.data)) {
      if (!values.has(path)) values.set(path, new Map());
      values.get(path)!.set(keyOf(value), value);
    }
  return [...values]
    .filter(([, seen]) => seen.size > 1)
    .map(([path, seen]) => ({ path, values: [...seen.values()].sort(byValue) }))
    .sort((a, b) => a.values.length - b.values.length);
}

function byValue(a: unknown, b: unknown): number {
  return typeof a === "number" && typeof b === "number" ? a - b : keyOf(a).localeCompare(keyOf(b));
}
