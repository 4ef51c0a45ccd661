// Fields that a form shows only while a condition holds: JSON schema's if, then and else, and dependentSchemas. A field that
// one of them names is left out of the form, and of what is submitted, while its condition does not hold.
import { type Schema, Validator } from "@cfworker/json-schema";
import type { RJSFSchema } from "@rjsf/utils";

type Node = Record<string, unknown>;
type Properties = Record<string, RJSFSchema>;

/** A condition, and the schemas for values that meet it and for others. */
export interface Condition {
  when: Node;
  met?: Node;
  unmet?: Node;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The conditions of an object's schema. */
export function conditionsOf(schema: Node): Condition[] {
  const nested = Array.isArray(schema.allOf) ? schema.allOf.filter(isNode) : [];
  return [schema, ...nested].flatMap((one) => [
    ...(isNode(one.if) ? [{ when: one.if, met: asNode(one.then), unmet: asNode(one.else) }] : []),
    ...Object.entries(asNode(one.dependentSchemas) ?? {}).map(([name, met]) => ({
      when: { required: [name] },
      met: asNode(met),
    })),
  ]);
}

const asNode = (value: unknown) => (isNode(value) ? value : undefined);

export const propertiesOf = (schema: Node | undefined) => (schema?.properties ?? {}) as Properties;

/** All fields, also those whose condition may not hold. */
export function allProperties(schema: Node): Properties {
  const found = { ...propertiesOf(schema) };
  for (const condition of conditionsOf(schema))
    Object.assign(found, propertiesOf(condition.met), propertiesOf(condition.unmet));
  return found;
}

/** The fields that the form shows with these values. */
export function shownProperties(schema: Node, data: unknown): Properties {
  const found = { ...propertiesOf(schema) };
  for (const condition of conditionsOf(schema))
    Object.assign(found, propertiesOf(holds(condition.when, data) ? condition.met : condition.unmet));
  return found;
}

export const hasConditions = (schema: RJSFSchema) => JSON.stringify(schema).includes('"if":');

/** The schema of what the form shows with these values, at all depths: it has no conditions. */
export function withConditionsMet(schema: RJSFSchema, data: unknown): RJSFSchema {
  if (!schema.properties || !hasConditions(schema)) return schema;
  const values = isNode(data) ? data : {};
  const { allOf: _conditions, ...rest } = schema;
  const met = conditionsOf(schema).map(({ when, met, unmet }) => (holds(when, data) ? met : unmet));
  const inner = Object.entries(shownProperties(schema, data)).map(
    ([name, one]) => [name, withConditionsMet(one, values[name])] as const,
  );
  return {
    ...rest,
    properties: Object.fromEntries(inner),
    required: [...(schema.required ?? []), ...met.flatMap((one) => (one?.required as string[]) ?? [])],
  };
}

export function holds(condition: unknown, data: unknown): boolean {
  try {
    // A key without a value counts as missing.
    const present = data === undefined ? undefined : JSON.parse(JSON.stringify(data));
    return new Validator(condition as Schema, "2020-12").validate(present).valid;
  } catch {
    return false;
  }
}
