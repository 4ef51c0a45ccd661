// The values of a form: the defaults of its schema, what the user changed, and which of that may be stored.
import { deepEquals, getDefaultFormState, type RJSFSchema, type UiSchema } from "@rjsf/utils";
import { allProperties, hasConditions, withConditionsMet } from "./conditions";
import type { NormalisedSchema } from "./normalise/schemaNode";
import { itemShape, membersOf, toRequestData } from "./requestData";
import { createValidator, validate } from "./validation/schemaValidator";

type Values = Record<string, unknown>;

const isRecord = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Keywords that a value of the right type may violate: the form shows such a value with its fault. */
const CONSTRAINTS = new Set(
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format minItems maxItems uniqueItems required".split(
    " ",
  ),
);

/** The values with the defaults of all other fields, also of those whose condition the values meet. */
export function withDefaults(schema: Values, shape: NormalisedSchema, values: unknown): Values {
  const validator = createValidator(schema, shape);
  const filled = (among: RJSFSchema, given: unknown) =>
    (getDefaultFormState(validator, among, given ?? {}, among) ?? {}) as Values;
  const first = filled(withConditionsMet(shape.schema, values), values);
  return hasConditions(shape.schema) ? filled(withConditionsMet(shape.schema, first), first) : first;
}

/** The values that a field of choices has; a remembered null stands for a cleared field. */
export function chosenValues(value: unknown, many: boolean): unknown[] {
  if (value === undefined || value === null) return [];
  return many ? (value as unknown[]) : [value];
}

/** The values that differ from the defaults; null stands for a cleared field. */
export function changedValues(schema: Values, shape: NormalisedSchema, data: unknown): Values {
  if (!isRecord(data)) return {};
  const defaults = withDefaults(schema, shape, {});
  return Object.fromEntries(
    Object.entries(data)
      .filter(([name, value]) => !deepEquals(value, defaults[name]))
      .map(([name, value]) => [name, value ?? null]),
  );
}

/** The values that fit a schema: those of unknown fields and of other types are left out. */
export function fittingValues(schema: Values, shape: NormalisedSchema, values: unknown): Values {
  if (!isRecord(values)) return {};
  const known = Object.fromEntries(
    Object.entries(values).filter(([name]) => Object.hasOwn(allProperties(shape.schema), name)),
  );
  const wrong = new Set(
    validate(schema, toRequestData(shape, known))
      .filter(({ keyword }) => !CONSTRAINTS.has(keyword))
      .map(({ path }) => path[0]),
  );
  return Object.fromEntries(Object.entries(known).filter(([name]) => !wrong.has(name)));
}

/** The data without its secrets, which are neither stored nor shown. */
export function withoutSecrets({ schema, uiSchema }: NormalisedSchema, data: unknown): unknown {
  const members = [{ schema, uiSchema }, ...membersOf({ schema, uiSchema })];
  if (Array.isArray(data))
    return data.map((one, at) =>
      members.reduce((kept, member) => withoutSecrets(itemShape(member, at), kept), one as unknown),
    );
  if (!isRecord(data)) return data;
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => {
      let inner = value;
      for (const member of members) {
        const shape = {
          schema: (allProperties(member.schema)[name] ??
            member.schema.additionalProperties ??
            {}) as RJSFSchema,
          uiSchema: (member.uiSchema[name] ?? member.uiSchema.additionalProperties ?? {}) as UiSchema,
        };
        if (isSecret(shape.schema)) return [];
        inner = withoutSecrets(shape, inner);
      }
      return [[name, inner]];
    }),
  );
}

/** Whether a field is a secret, such as pydantic's SecretStr, or a list of them. */
export function isSecret(schema: RJSFSchema): boolean {
  const items = schema.items as RJSFSchema | undefined;
  return (
    schema.format === "password" ||
    schema.writeOnly === true ||
    (isRecord(items) && isSecret(items as RJSFSchema))
  );
}
