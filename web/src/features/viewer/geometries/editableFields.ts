// The fields of a geometry that the form shows: those that this viewer draws. The others keep their values.
import type { Geometry } from "../scene/parseGeometries";

/** By type; what is visible has a button of its own. */
const NOT_DRAWN: Readonly<Record<string, readonly string[]>> = {
  spheres: ["resolution", "selection"],
  bonds: ["position", "connectivity", "color", "opacity", "material", "resolution"],
  cell: ["thickness", "opacity", "vectors"],
  curve: ["opacity"],
  camera: ["projection", "fov", "near", "far"],
};

type JsonSchema = Record<string, unknown>;

export function editableSchema(type: string, schema: JsonSchema): JsonSchema {
  const left = new Set([...(NOT_DRAWN[type] ?? []), "visible"]);
  const fields = Object.entries((schema.properties ?? {}) as JsonSchema);
  const { required, ...rest } = schema;
  return {
    ...rest,
    properties: Object.fromEntries(fields.filter(([name]) => !left.has(name))),
    ...(Array.isArray(required) ? { required: required.filter((name) => !left.has(name)) } : {}),
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
