// Reads the search parameters of an address; each page declares its own with `validateSearch`.

export type SearchParams = Record<string, unknown>;

export function textParam(value: unknown): string | undefined {
  return typeof value === "string" && value ? value : undefined;
}

export function textListParam(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : undefined;
}

export function choiceParam<T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value);
}

/** Drops parameters without a value, so that they do not appear in the address. */
export function withoutEmpty<T extends object>(search: T): T {
  return Object.fromEntries(
    Object.entries(search).filter(
      ([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && !value.length),
    ),
  ) as T;
}
