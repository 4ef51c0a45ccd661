// Reads the search parameters of an address; each page declares its own with `validateSearch`. A validator returns all its
// parameters, with undefined for those without a valid value: the router hands out what the address has in the place of
// parameters that are missing.

export type SearchParams = Record<string, unknown>;

/** The router parses `?name=12` as a number. */
export function textParam(value: unknown): string | undefined {
  return typeof value === "number" || (typeof value === "string" && value) ? String(value) : undefined;
}

/** The position of a frame. */
export function indexParam(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

export function choiceParam<T extends string>(value: unknown, choices: readonly T[]): T | undefined {
  return choices.find((choice) => choice === value);
}

/** One or several of the choices: `?status=failed`, `?status=failed,cancelled` or `?status=["failed"]`. */
export function choicesParam<T extends string>(value: unknown, choices: readonly T[]): T[] | undefined {
  const parts = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  const chosen = choices.filter((choice) => parts.includes(choice));
  return chosen.length ? chosen : undefined;
}

/** Drops parameters without a value, so that they do not appear in the address. */
export function withoutEmpty<T extends object>(search: T): T {
  return Object.fromEntries(
    Object.entries(search).filter(
      ([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && !value.length),
    ),
  ) as T;
}
