// Converts a JSON schema written by pydantic to one that the form can show: `X | None` becomes an optional X,
// references are resolved, tuples become rows of inputs, the constant of a discriminator is hidden, and bounds, units and
// formats select the widget.
import { normaliseArray, normaliseObject } from "./containers";
import { normaliseAsked, normaliseEnum, normaliseFile, normaliseNumber, normaliseString } from "./scalars";
import { type Node, type NormalisedSchema, type WalkContext, withUnit } from "./schemaNode";
import { normaliseUnion } from "./unions";

export function normaliseSchema(schema: Record<string, unknown>): NormalisedSchema {
  const root = schema as Node;
  const { schema: shown, uiSchema } = walk(root, { root, open: [], walk });
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
  // A switch shows false where there is no default, so that is what is sent.
  if (given.type === "boolean") return withUnit({ default: false, ...given }, {});
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
