// The fields of a geometry that its form shows: all but `visible`, which has a button of its own.
import type { Geometry } from "../scene/splitGeometries";

type JsonSchema = Record<string, unknown>;

export function editableSchema(schema: JsonSchema): JsonSchema {
  const fields = Object.entries((schema.properties ?? {}) as JsonSchema);
  const { required, ...rest } = schema;
  return {
    ...rest,
    properties: Object.fromEntries(fields.filter(([name]) => name !== "visible")),
    ...(Array.isArray(required) ? { required: required.filter((name) => name !== "visible") } : {}),
  };
}

/** The values of the fields that the form shows. */
export function editableValues(schema: JsonSchema, { data }: Geometry): JsonSchema {
  const shown = (schema.properties ?? {}) as JsonSchema;
  return Object.fromEntries(Object.entries(data).filter(([name]) => Object.hasOwn(shown, name)));
}

/** The whole geometry with the values of the form. A field that the form left out gets its default. */
export function edited(schema: JsonSchema, { type, data }: Geometry, values: JsonSchema): Geometry {
  const shown = (schema.properties ?? {}) as JsonSchema;
  const kept = Object.entries(data).filter(([name]) => !Object.hasOwn(shown, name));
  return { type, data: { ...Object.fromEntries(kept), ...values } };
}
