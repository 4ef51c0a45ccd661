// Converts form data to request data: omitted fields are left out, cleared optional fields are null.
import type { RJSFSchema, UiSchema } from "@rjsf/utils";
import type { NormalisedSchema } from "./normaliseSchema";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function toRequestData({ schema, uiSchema }: NormalisedSchema, data: unknown): unknown {
  if (!isRecord(data)) return Array.isArray(data) ? data.map((one) => one ?? null) : data;
  const properties = (schema.properties ?? {}) as Record<string, RJSFSchema>;
  const result: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(properties), ...Object.keys(data)])) {
    const inner = properties[name];
    const ui = (uiSchema[name] ?? {}) as UiSchema;
    const value = data[name];
    if (value === undefined) {
      const nullable = ui["ui:options"]?.nullable === true;
      const needed = schema.required?.includes(name) || inner?.default !== undefined;
      // The user cleared a field that has a default: null differs from the default.
      if (inner && nullable && needed) result[name] = null;
      continue;
    }
    result[name] = inner ? toRequestData({ schema: inner, uiSchema: ui }, value) : value;
  }
  return result;
}

/** Assigns the server's field errors (`data.thermostat.friction`, `data.push[0]`) to the fields of the form. */
export function toErrorSchema(errors: { path: string; message: string }[]): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const { path, message } of errors) {
    const parts = [...path.replace(/^data/, "").matchAll(/\.([^.[\]]+)|\[(\d+)\]/g)].map(
      ([, name, at]) => name ?? at!,
    );
    let here = root;
    for (const part of parts) {
      here[part] ??= {};
      here = here[part] as Record<string, unknown>;
    }
    here.__errors = [...((here.__errors as string[] | undefined) ?? []), message];
  }
  return root;
}
