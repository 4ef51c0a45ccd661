// Converts a JSON schema written by pydantic to one that the form can show: `X | None` becomes an optional X,
// references are resolved, tuples become rows of inputs, the constant of a discriminator is hidden, and bounds, units and
// formats select the widget.
import type { RJSFSchema, UiSchema } from "@rjsf/utils";
import { conditionsOf, propertiesOf } from "./conditions";

type Node = RJSFSchema & {
  unit?: string;
  prefixItems?: Node[];
  discriminator?: { propertyName: string };
  "x-features"?: string[];
  /** The choices of the field are asked of a worker. */
  choices?: { dependsOn?: string[] };
};

export interface NormalisedSchema {
  schema: RJSFSchema;
  uiSchema: UiSchema;
}

interface WalkContext {
  root: Node;
  /** References that are being resolved, outermost first; a repeated one is recursive. */
  open: string[];
}

const MAX_SEGMENTED_LETTERS = 28;
/** The name of a value that frames have. */
const FRAME_KEY = "frame-key";

export function normaliseSchema(schema: Record<string, unknown>): NormalisedSchema {
  const root = schema as Node;
  const { schema: shown, uiSchema } = walk(root, { root, open: [] });
  // The page shows the title and description of the extension above the form.
  const { title: _title, description: _description, $defs: _defs, ...rest } = shown;
  return { schema: rest, uiSchema };
}

function walk(given: Node, context: WalkContext): NormalisedSchema {
  if (given.choices) return normaliseAsked(given);
  if (given.$ref) return resolveReference(given, context);
  if (given.allOf?.length === 1) {
    const { allOf, ...rest } = given;
    return walk({ ...(allOf![0] as Node), ...rest }, context);
  }
  const union = given.anyOf ?? given.oneOf;
  if (union) return normaliseUnion(given, union as Node[], context);
  if (given.const !== undefined) return { schema: given, uiSchema: { "ui:widget": "hidden" } };
  if (given.enum) return normaliseEnum(given);
  if (given.format === "workroom-file") return normaliseFile(given);
  if (given.type === "object" || given.properties) return normaliseObject(given, context);
  if (given.type === "array" || given.prefixItems) return normaliseArray(given, context);
  if (given.type === "number" || given.type === "integer") return normaliseNumber(given);
  if (given.type === "string") return normaliseString(given);
  if (given.type === "boolean") return withUnit(given, {});
  return withUnit(given, { "ui:field": "json" });
}

function resolveReference(given: Node, context: WalkContext): NormalisedSchema {
  const { $ref, ...beside } = given;
  if (context.open.includes($ref!)) return withUnit(beside as Node, { "ui:field": "json" });
  const target = $ref!
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (at, part) =>
        (at as Record<string, unknown> | undefined)?.[part.replaceAll("~1", "/").replaceAll("~0", "~")],
      context.root,
    );
  if (!target) return withUnit(beside as Node, { "ui:field": "json" });
  return walk({ ...(target as Node), ...beside }, { ...context, open: [...context.open, $ref!] });
}

const isNull = (node: Node) => node.type === "null" || node.const === null;

function normaliseUnion(given: Node, options: Node[], context: WalkContext): NormalisedSchema {
  const { anyOf: _any, oneOf: _one, ...beside } = given;
  const others = options.filter((option) => !isNull(option));
  const nullable = others.length < options.length;
  if (others.length === 0) return withUnit(beside as Node, { "ui:field": "json" });
  if (others.length === 1) {
    const { default: value, ...rest } = beside;
    const inner = walk({ ...others[0], ...(nullable && value === null ? rest : beside) } as Node, context);
    if (!nullable) return inner;
    return hasFields(inner) ? optionalObject(inner, beside as Node) : asNullable(inner);
  }
  const key = given.discriminator?.propertyName;
  const inner = others.map((option, at) => {
    const { schema, uiSchema } = walk(option, context);
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

function asNullable({ schema, uiSchema }: NormalisedSchema): NormalisedSchema {
  const widget = schema.type === "boolean" ? { "ui:widget": "optionalBoolean" } : {};
  const options = { ...uiSchema["ui:options"], nullable: true };
  return { schema, uiSchema: { ...uiSchema, ...widget, "ui:options": options } };
}

/** Adds the unit, which every field may have. */
function withUnit(schema: Node, uiSchema: UiSchema): NormalisedSchema {
  const options = { ...uiSchema["ui:options"], ...(schema.unit ? { unit: schema.unit } : {}) };
  return { schema, uiSchema: { ...uiSchema, "ui:options": options } };
}

function normaliseEnum(given: Node): NormalisedSchema {
  const options = given.enum as unknown[];
  const letters = options.reduce<number>((sum, option) => sum + String(option).length + 2, 0);
  const few = options.length <= 4 && letters <= MAX_SEGMENTED_LETTERS;
  return withUnit(given, { "ui:widget": few ? "segmented" : "choice" });
}

/** A field whose choices a worker answers: a list of values, or one value of any type. */
function normaliseAsked(given: Node): NormalisedSchema {
  const { anyOf, oneOf, default: value, ...rest } = given;
  const members = ((anyOf ?? oneOf ?? []) as Node[]).filter((one) => !isNull(one));
  const nullable = members.length < (anyOf ?? oneOf ?? []).length;
  const isList = given.type === "array" || members.some((one) => one.type === "array");
  const schema = {
    ...rest,
    ...(isList ? { type: "array" } : {}),
    ...(value == null ? {} : { default: value }),
  };
  const options = { dependsOn: given.choices!.dependsOn ?? [], nullable };
  return { schema: schema as RJSFSchema, uiSchema: { "ui:field": "asked", "ui:options": options } };
}

/** A file is one field. Without a type the form makes no empty object of it. */
function normaliseFile({
  type: _type,
  properties: _fields,
  required: _required,
  ...rest
}: Node): NormalisedSchema {
  return { schema: rest as RJSFSchema, uiSchema: { "ui:field": "file" } };
}

function normaliseObject(given: Node, context: WalkContext): NormalisedSchema {
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
        const walked = walk({ ...(given.properties?.[name] as Node | undefined), ...(one as Node) }, context);
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
    const walked = walk(more as Node, context);
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

function normaliseArray(given: Node, context: WalkContext): NormalisedSchema {
  const format = given.format;
  if (format === "atom-selection" || format === "atoms") return withUnit(given, { "ui:widget": "atoms" });
  const parts = given.prefixItems;
  if (parts) {
    const { prefixItems: _parts, items: _items, ...rest } = given;
    const walked = parts.map((part) => walk(part, context));
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
  const items = walk((given.items ?? {}) as Node, context);
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

const isNumeric = (node: Node) => node.type === "number" || node.type === "integer";

function normaliseNumber(given: Node): NormalisedSchema {
  const low = given.minimum ?? given.exclusiveMinimum;
  const high = given.maximum ?? given.exclusiveMaximum;
  const bounded = typeof low === "number" && typeof high === "number" && high > low;
  return withUnit(given, { "ui:widget": bounded ? "slider" : "number" });
}

function normaliseString(given: Node): NormalisedSchema {
  const features = given["x-features"] ?? [];
  if (
    given.format === "frame-property" ||
    given.format === FRAME_KEY ||
    features.some((one) => /atom-props|frame/.test(one))
  )
    return withUnit(given, { "ui:widget": "frameProperty" });
  if (given.format === "color" || given.format === "colour")
    return withUnit(given, { "ui:widget": "colour" });
  if (given.format === "textarea" || given.format === "multi-line")
    return withUnit(given, { "ui:widget": "paragraph" });
  if (given.format === "password" || given.writeOnly) {
    // pydantic writes asterisks in the place of a secret default; a field that is left out has the real one.
    const { default: asterisks, ...secret } = given;
    const options = { hasDefault: asterisks !== undefined };
    return withUnit(secret as Node, { "ui:widget": "password", "ui:options": options });
  }
  if (Array.isArray(given.examples) && given.examples.length)
    return withUnit(given, { "ui:widget": "suggestions" });
  const { format, ...rest } = given;
  if (format === "date" || format === "time" || format === "date-time")
    return withUnit(rest as Node, { "ui:widget": "time", "ui:options": { timeFormat: format } });
  // Other formats are plain text fields; the server validates them.
  const example = format === "duration" ? { "ui:placeholder": "e.g. PT1H30M" } : {};
  return withUnit(rest as Node, { "ui:widget": "line", ...example });
}
