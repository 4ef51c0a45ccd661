// Converts fields of one value: choices, files, numbers and text.
import type { RJSFSchema } from "@rjsf/utils";
import { FRAME_KEY, isNull, type Node, type NormalisedSchema, withUnit } from "./schemaNode";

const MAX_SEGMENTED_LETTERS = 28;

export function normaliseEnum(given: Node): NormalisedSchema {
  const options = given.enum as unknown[];
  const letters = options.reduce<number>((sum, option) => sum + String(option).length + 2, 0);
  const few = options.length <= 4 && letters <= MAX_SEGMENTED_LETTERS;
  return withUnit(given, { "ui:widget": few ? "segmented" : "choice" });
}

/** A field whose choices a worker answers: a list of values, or one value of any type. */
export function normaliseAsked(given: Node): NormalisedSchema {
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
export function normaliseFile({
  type: _type,
  properties: _fields,
  required: _required,
  ...rest
}: Node): NormalisedSchema {
  return { schema: rest as RJSFSchema, uiSchema: { "ui:field": "file" } };
}

export function normaliseNumber(given: Node): NormalisedSchema {
  const low = given.minimum ?? given.exclusiveMinimum;
  const high = given.maximum ?? given.exclusiveMaximum;
  const bounded = typeof low === "number" && typeof high === "number" && high > low;
  return withUnit(given, { "ui:widget": bounded ? "slider" : "number" });
}

export function normaliseString(given: Node): NormalisedSchema {
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
