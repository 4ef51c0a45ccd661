// The data of a form. Changed values are remembered in this browser for each room and extension. When the schema changes,
// the values that still fit are kept.
import { useMemo, useState } from "react";
import { changedValues, fittingValues, withDefaults, withoutSecrets } from "./formValues";
import type { NormalisedSchema } from "./normaliseSchema";

interface FormSchema {
  schema: Record<string, unknown>;
  shape: NormalisedSchema;
}

/** `stored` are values from the server; without them, `key` names where this browser remembers the values. */
export function useFormValues({ schema, shape }: FormSchema, key: string | null, stored: unknown) {
  const [edited, setEdited] = useState<{ of: FormSchema; data: unknown } | null>(null);
  const initial = useMemo(
    () => withDefaults(schema, shape, fittingValues(schema, shape, key === null ? stored : recall(key))),
    [schema, shape, key, stored],
  );
  let current = edited;
  if (edited && edited.of.schema !== schema) {
    const changed = changedValues(edited.of.schema, edited.of.shape, edited.data);
    const data = withDefaults(schema, shape, fittingValues(schema, shape, changed));
    current = { of: { schema, shape }, data };
    setEdited(current);
  }
  const change = (data: unknown) => {
    setEdited({ of: { schema, shape }, data });
    if (key !== null) remember(key, withoutSecrets(shape, changedValues(schema, shape, data)));
  };
  return { data: current ? current.data : initial, change };
}

function recall(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

function remember(key: string, values: unknown) {
  try {
    localStorage.setItem(key, JSON.stringify(values));
  } catch {
    // The storage is full or not available: the values are kept while the page is open.
  }
}
