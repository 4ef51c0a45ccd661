// Converts unions: `X | None`, a choice among models, and the choice among the members of any other union.
import type { RJSFSchema } from "@rjsf/utils";
import {
  FRAME_KEY,
  isNull,
  type Node,
  type NormalisedSchema,
  type WalkContext,
  withUnit,
} from "./schemaNode";

export function normaliseUnion(given: Node, options: Node[], context: WalkContext): NormalisedSchema {
  const { anyOf: _any, oneOf: _one, ...beside } = given;
  const others = options.filter((option) => !isNull(option));
  const nullable = others.length < options.length;
  if (others.length === 0) return withUnit(beside as Node, { "ui:field": "json" });
  if (others.length === 1) {
    const { default: value, ...rest } = beside;
    const inner = context.walk(
      { ...others[0], ...(nullable && value === null ? rest : beside) } as Node,
      context,
    );
    if (!nullable) return inner;
    return hasFields(inner) ? optionalObject(inner, beside as Node) : asNullable(inner, beside as Node);
  }
  const key = given.discriminator?.propertyName;
  const inner = others.map((option, at) => {
    const { schema, uiSchema } = context.walk(option, context);
    const titled = { ...schema, title: schema.title ?? memberTitle(schema, key) ?? `Kind ${at + 1}` };
    // The discriminator constant identifies a member of the union; it is hidden from the user.
    return { schema: titled, uiSchema };
  });
  const members = inner.map(({ schema, uiSchema }) => ({
    schema,
    uiSchema: key ? { ...uiSchema, [key]: { "ui:widget": "hidden" } } : uiSchema,
  }));
  // A union with a null member has no discriminator: null has no fields.
  const discriminator = key && !nullable ? { discriminator: { propertyName: key } } : {};
  return chooseOne(nullable ? [NONE, ...members] : members, { ...beside, ...discriminator } as Node);
}

/** The member of a union that stands for None. */
const NONE: NormalisedSchema = { schema: { type: "null", title: "none" }, uiSchema: {} };

/** A choice among the members of a union, and the fields of the chosen one. */
function chooseOne(members: NormalisedSchema[], beside: Node): NormalisedSchema {
  const { discriminator: given, ...rest } = beside;
  const schema = {
    ...rest,
    oneOf: members.map((one) => one.schema),
    ...(given ? { discriminator: { propertyName: given.propertyName } } : {}),
  } as RJSFSchema;
  return { schema, uiSchema: { oneOf: members.map((one) => one.uiSchema) } };
}

const hasFields = ({ schema, uiSchema }: NormalisedSchema) =>
  schema.type === "object" && uiSchema["ui:field"] === undefined;

/** A model that may be None: a choice between none and its fields. */
function optionalObject({ schema, uiSchema }: NormalisedSchema, beside: Node): NormalisedSchema {
  const { default: _default, title, description: _description, ...fields } = schema;
  const { description, default: value } = beside;
  const label = { title: beside.title ?? title, description, default: value } as Node;
  const member = { schema: { ...fields, title: beside.title ?? title }, uiSchema };
  return chooseOne([NONE, member], label);
}

function memberTitle(schema: RJSFSchema, key: string | undefined): string | undefined {
  if (schema.const !== undefined) return String(schema.const);
  if (schema.enum) return schema.enum.join(" or ");
  if (schema.format === "color") return "one colour";
  if (schema.format === FRAME_KEY) return "value of the frame";
  if (schema.type === "array") return "list";
  const constant = key && (schema.properties?.[key] as Node | undefined)?.const;
  return constant ? String(constant) : typeof schema.type === "string" ? schema.type : undefined;
}

function asNullable({ schema: given, uiSchema }: NormalisedSchema, beside: Node): NormalisedSchema {
  const isBoolean = given.type === "boolean";
  const widget = isBoolean ? { "ui:widget": "optionalBoolean" } : {};
  const options = { ...uiSchema["ui:options"], nullable: true };
  const { default: off, ...rest } = given;
  // A field that can be none begins with none.
  const schema = isBoolean && off === false && beside.default !== false ? rest : given;
  return { schema, uiSchema: { ...uiSchema, ...widget, "ui:options": options } };
}
