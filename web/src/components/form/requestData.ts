// Converts form data to request data: omitted fields are left out, cleared optional fields are null.
import type { RJSFSchema, UiSchema } from "@rjsf/utils";
import { allProperties, shownProperties } from "./conditions";
import type { NormalisedSchema } from "./normalise/schemaNode";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function toRequestData({ schema, uiSchema }: NormalisedSchema, data: unknown): unknown {
  if (!isRecord(data)) return Array.isArray(data) ? data.map((one) => one ?? null) : data;
  const properties = shownProperties(schema, data);
  const hidden = new Set(
    Object.keys(allProperties(schema)).filter((name) => !Object.hasOwn(properties, name)),
  );
  const result: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(properties), ...Object.keys(data)])) {
    if (hidden.has(name)) continue;
    const known = properties[name];
    const more = schema.additionalProperties;
    const inner = known ?? (isRecord(more) ? (more as RJSFSchema) : undefined);
    const ui = ((known ? uiSchema[name] : uiSchema.additionalProperties) ?? {}) as UiSchema;
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
