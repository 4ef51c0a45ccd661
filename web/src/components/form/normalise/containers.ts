// Converts objects, mappings, lists and tuples.
import type { RJSFSchema, UiSchema } from "@rjsf/utils";
import { conditionsOf, propertiesOf } from "../conditions";
import { isNumeric, type Node, type NormalisedSchema, type WalkContext, withUnit } from "./schemaNode";

export function normaliseObject(given: Node, context: WalkContext): NormalisedSchema {
  const properties: Record<string, RJSFSchema> = {};
  const uiSchema: UiSchema = {};
  const conditions = conditionsOf(given);
  const conditional = new Set(
    conditions.flatMap((one) => [one.met, one.unmet].flatMap((branch) => Object.keys(propertiesOf(branch)))),
  );
  const shown = (inner: Record<string, RJSFSchema>) =>
    Object.fromEntries(
      Object.entries(inner).map(([name, one]) => {
        // What the class says of a field holds for it under any condition.
        const walked = context.walk(
          { ...(given.properties?.[name] as Node | undefined), ...(one as Node) },
          context,
        );
        uiSchema[name] = walked.uiSchema;
        return [name, walked.schema];
      }),
    );
  const branch = (inner: Record<string, unknown> | undefined) =>
    inner && { ...inner, properties: shown(propertiesOf(inner)) };
  const declared = propertiesOf(given);
  Object.assign(
    properties,
    shown(Object.fromEntries(Object.entries(declared).filter(([name]) => !conditional.has(name)))),
  );
  const more = given.additionalProperties;
  const { if: _if, then: _then, else: _else, dependentSchemas: _dependent, allOf: _all, ...plain } = given;
  const schema: RJSFSchema = { ...(conditions.length ? plain : given), type: "object", properties };
  if (conditions.length) {
    schema.allOf = conditions.map((one) => ({
      if: one.when,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON schema
      then: branch(one.met) ?? {},
      else: branch(one.unmet) ?? {},
    })) as RJSFSchema[];
    uiSchema["ui:order"] = [...new Set([...Object.keys(declared), ...conditional]), "*"];
  }
  // A mapping whose values have no type.
  if (!given.properties && (more === undefined || more === true || isEmpty(more)))
    return withUnit(schema, { "ui:field": "json" });
  if (typeof more === "object" && more !== null) {
    const walked = context.walk(more as Node, context);
    const single = !["object", "array"].includes(walked.schema.type as string) && !walked.schema.oneOf;
    schema.additionalProperties = withNewValue(walked.schema);
    // The key stands beside the value, in the place of a label.
    uiSchema.additionalProperties = single
      ? {
          ...walked.uiSchema,
          "ui:options": { ...walked.uiSchema["ui:options"], label: false },
        }
      : walked.uiSchema;
  } else if (more === undefined && given.properties) {
    schema.additionalProperties = false;
  }
  return { schema, uiSchema };
}

const isEmpty = (value: unknown) =>
  typeof value === "object" && value !== null && Object.keys(value).every((key) => key === "title");

/** A schema with a default, which is the value of a key that is added to a mapping. */
function withNewValue(schema: RJSFSchema): RJSFSchema {
  if (schema.default !== undefined) return schema;
  if (schema.enum) return { ...schema, default: schema.enum[0] as RJSFSchema["default"] };
  if (schema.type === "integer") return { ...schema, default: schema.minimum ?? 0 };
  if (schema.type === "object")
    return {
      ...schema,
      default: Object.fromEntries(
        Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
          const value = (inner as RJSFSchema).default;
          return value === undefined ? [] : [[name, value]];
        }),
      ),
    };
  return schema.type === "string" ? { ...schema, default: "" } : schema;
}

export function normaliseArray(given: Node, context: WalkContext): NormalisedSchema {
  const format = given.format;
  if (format === "atom-selection" || format === "atoms") return withUnit(given, { "ui:widget": "atoms" });
  const parts = given.prefixItems;
  if (parts) {
    const { prefixItems: _parts, items: _items, ...rest } = given;
    const walked = parts.map((part) => context.walk(part, context));
    const schema = {
      ...rest,
      type: "array",
      items: walked.map((one) => one.schema),
      additionalItems: false,
    } as RJSFSchema;
    if (parts.every(isNumeric))
      return withUnit(schema, { "ui:widget": "vector", "ui:options": { length: parts.length } });
    return withUnit(schema, { items: walked.map((one) => one.uiSchema) } as unknown as UiSchema);
  }
  const items = context.walk((given.items ?? {}) as Node, context);
  const schema = { ...given, items: items.schema } as RJSFSchema;
  const fixed = given.minItems !== undefined && given.minItems === given.maxItems && given.minItems <= 6;
  if (fixed && isNumeric(items.schema as Node))
    return withUnit(schema, { "ui:widget": "vector", "ui:options": { length: given.minItems } });
  if (Array.isArray(items.schema.enum))
    return withUnit({ ...schema, uniqueItems: true }, { "ui:widget": "choices" });
  if (isNumeric(items.schema as Node) || items.schema.type === "string")
    return withUnit(schema, { "ui:widget": "list" });
  return withUnit(schema, { items: items.uiSchema });
}
