// Converts form data to request data: omitted fields are left out, cleared optional fields are null.
import type { RJSFSchema, UiSchema } from "@rjsf/utils";
import { allProperties, holds, shownProperties } from "./conditions";
import type { NormalisedSchema } from "./normalise/schemaNode";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function toRequestData(given: NormalisedSchema, data: unknown): unknown {
  const shape = chosenMember(given, data);
  if (Array.isArray(data))
    return data.map((one, at) => (one === undefined ? null : toRequestData(itemShape(shape, at), one)));
  if (!isRecord(data)) return data;
  const { schema, uiSchema } = shape;
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
      const needed = schema.required?.includes(name) || (inner?.default ?? null) !== null;
      // The user cleared a field that has a default: null differs from the default.
      if (inner && needed && isNullable({ schema: inner, uiSchema: ui })) result[name] = null;
      continue;
    }
    result[name] = inner ? toRequestData({ schema: inner, uiSchema: ui }, value) : value;
  }
  return result;
}

/** Whether a field without a value stands for null: an optional value, or a union that has none as a member. */
const isNullable = ({ schema, uiSchema }: NormalisedSchema) =>
  uiSchema["ui:options"]?.nullable === true || membersOf({ schema, uiSchema }).some(isNone);

const isNone = ({ schema }: NormalisedSchema) => schema.type === "null";

/** The shape of an item of a list or tuple. */
export function itemShape({ schema, uiSchema }: NormalisedSchema, at: number): NormalisedSchema {
  const pick = (items: unknown) => (Array.isArray(items) ? items[at] : items) ?? {};
  return { schema: pick(schema.items) as RJSFSchema, uiSchema: pick(uiSchema.items) as UiSchema };
}

/** The members of a union; none for a schema that is no union. */
export function membersOf({ schema, uiSchema }: NormalisedSchema): NormalisedSchema[] {
  return (schema.oneOf ?? []).map((one, at) => ({
    schema: one as RJSFSchema,
    uiSchema: (uiSchema.oneOf?.[at] ?? {}) as UiSchema,
  }));
}

/** The member of a union that a value is meant to be: by its constants, else the one that it fits best. */
function chosenMember(shape: NormalisedSchema, data: unknown): NormalisedSchema {
  const misfits = (member: NormalisedSchema) => misfit(member.schema, data);
  const possible = membersOf(shape).filter((member) => misfits(member) !== Number.POSITIVE_INFINITY);
  const [best] = possible.sort((one, other) => misfits(one) - misfits(other));
  return best ? chosenMember(best, data) : shape;
}

/** How far a value is from a schema; infinite for a value of another type or with another constant. */
function misfit(schema: RJSFSchema, data: unknown): number {
  if (schema.oneOf) return 0;
  if (Array.isArray(data)) return schema.type === "array" ? Number(!holds(schema, data)) : Infinity;
  if (!isRecord(data) || schema.type !== "object") return Infinity;
  const properties = allProperties(schema);
  const isOther = Object.entries(properties).some(([name, one]) => {
    const allowed = one.const === undefined ? one.enum : [one.const];
    const isTag = one.const !== undefined || (schema.required?.includes(name) && one.enum);
    return isTag && data[name] !== undefined && !allowed?.includes(data[name] as never);
  });
  if (isOther) return Infinity;
  const strange = isRecord(schema.additionalProperties)
    ? 0
    : Object.keys(data).filter((name) => !Object.hasOwn(properties, name)).length;
  const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(data, name)).length;
  // What violates a bound still belongs to the member that has all of its keys.
  return 2 * (strange + missing) + Number(!holds(schema, data));
}
