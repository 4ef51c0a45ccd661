// The data of a form. Changed values are remembered in this browser for each room, extension and
// version of its schema. When the schema changes, the values that still fit are kept.
import { useMemo, useState } from "react";
import { type RememberedForm, recallForm, rememberForm } from "@/lib/jobs/formMemory";
import { hasConditions } from "./conditions";
import { changedValues, fittingValues, withDefaults, withoutSecrets } from "./formValues";
import type { NormalisedSchema } from "./normalise/schemaNode";

interface FormSchema {
  schema: Record<string, unknown>;
  shape: NormalisedSchema;
}

/** `stored` are values from the server; without them, this browser remembers the values of the form. */
export function useFormValues(
  { schema, shape }: FormSchema,
  memory: (RememberedForm & { schemaHash: string }) | null,
  stored: unknown,
) {
  const [edited, setEdited] = useState<{ of: FormSchema; data: unknown } | null>(null);
  const initial = useMemo(
    () =>
      withDefaults(
        schema,
        shape,
        fittingValues(schema, shape, memory ? recallForm(memory, memory.schemaHash) : stored),
      ),
    [schema, shape, memory, stored],
  );
  let current = edited;
  if (edited && edited.of.schema !== schema) {
    const changed = changedValues(edited.of.schema, edited.of.shape, edited.data);
    const data = withDefaults(schema, shape, fittingValues(schema, shape, changed));
    current = { of: { schema, shape }, data };
    setEdited(current);
  }
  const change = (next: unknown) => {
    // A field whose condition is met now begins with its default.
    const data = hasConditions(shape.schema) ? withDefaults(schema, shape, next) : next;
    setEdited({ of: { schema, shape }, data });
    if (memory)
      rememberForm(memory, withoutSecrets(shape, changedValues(schema, shape, data)), memory.schemaHash);
  };
  return { data: current ? current.data : initial, change };
}
