// Places faults of form data at the fields that show them. A fault that no field shows is placed at the form itself, which
// shows it above the Run button.
import type { ErrorSchema, RJSFSchema, UiSchema } from "@rjsf/utils";
import { allProperties } from "../conditions";
import type { NormalisedSchema } from "../normalise/schemaNode";

export interface Fault {
  keyword: string;
  path: string[];
  message: string;
}

export function placeFaults(shape: NormalisedSchema, faults: Omit<Fault, "keyword">[]): ErrorSchema {
  const root: Record<string, unknown> = {};
  for (const { path, message } of faults) {
    const field = shownField(shape, path);
    const inside = path.slice(field?.length ?? 0).join(".");
    let here = root;
    for (const part of field ?? []) {
      here[part] ??= {};
      here = here[part] as Record<string, unknown>;
    }
    const text = inside ? `${inside}: ${message}` : message;
    here.__errors = [...new Set([...((here.__errors as string[] | undefined) ?? []), text])];
  }
  return root as ErrorSchema;
}

/** The server's errors, with paths such as `data.thermostat.friction` or `data.push[0]`. */
export function serverFaults(errors: { path: string; message: string }[]): Omit<Fault, "keyword">[] {
  return errors.map(({ path, message }) => ({
    path: [...path.replace(/^data/, "").matchAll(/\.([^.[\]]+)|\[(\d+)\]/g)].map(
      ([, name, at]) => name ?? at!,
    ),
    message,
  }));
}

/** The path of the field that shows a value: its own, or that of a list or JSON text with the value inside. */
function shownField(shape: NormalisedSchema, path: string[]): string[] | null {
  let members = [shape];
  for (const [at, part] of path.entries()) {
    const inner = members.flatMap((member) => childOf(member, part) ?? []);
    if (!inner.length) return members.some(isOneField) ? path.slice(0, at) : null;
    members = inner.flatMap(membersOf);
    if (members.every(({ uiSchema }) => uiSchema["ui:widget"] === "hidden")) return null;
  }
  return path;
}

/** The members of a union; a schema that is no union is its only member. */
function membersOf(given: NormalisedSchema): NormalisedSchema[] {
  const { oneOf } = given.schema;
  if (!oneOf) return [given];
  const ui = (given.uiSchema.oneOf ?? []) as UiSchema[];
  return oneOf.map((schema, at) => ({ schema: schema as RJSFSchema, uiSchema: ui[at] ?? {} }));
}

function childOf({ schema, uiSchema }: NormalisedSchema, part: string): NormalisedSchema | null {
  if (isOneField({ schema, uiSchema })) return null;
  if (schema.type === "array") {
    const items = Array.isArray(schema.items) ? schema.items[Number(part)] : schema.items;
    const ui = Array.isArray(uiSchema.items) ? uiSchema.items[Number(part)] : uiSchema.items;
    return items ? { schema: items as RJSFSchema, uiSchema: (ui ?? {}) as UiSchema } : null;
  }
  const property = allProperties(schema)[part];
  if (property) return { schema: property as RJSFSchema, uiSchema: (uiSchema[part] ?? {}) as UiSchema };
  const more = schema.additionalProperties;
  return more && typeof more === "object"
    ? { schema: more as RJSFSchema, uiSchema: (uiSchema.additionalProperties ?? {}) as UiSchema }
    : null;
}

/** Whether one widget shows the whole value, such as a vector or a JSON text. */
const isOneField = ({ schema, uiSchema }: NormalisedSchema) =>
  Boolean(uiSchema["ui:field"]) ||
  (Boolean(uiSchema["ui:widget"]) && uiSchema["ui:widget"] !== "hidden" && schema.type === "array");
