// A form validator that interprets the schema. The library's own validator compiles schemas to code, which the
// Content-Security-Policy forbids because schemas come from workers.
import { type Schema, Validator } from "@cfworker/json-schema";
import type { CustomValidator, RJSFSchema, ValidationData, ValidatorType } from "@rjsf/utils";
import { holds } from "../conditions";
import type { NormalisedSchema } from "../normalise/schemaNode";
import { toRequestData } from "../requestData";
import { type Fault, placeFaults } from "./placeFaults";

interface SchemaError {
  keyword: string;
  instanceLocation: string;
  keywordLocation: string;
  error: string;
}

/** Keywords whose errors only repeat an error of a nested value. */
const WRAPPER_KEYWORDS = new Set([
  "properties",
  "items",
  "prefixItems",
  "$ref",
  "allOf",
  "patternProperties",
]);
const UNION_KEYWORDS = new Set(["anyOf", "oneOf"]);

/** The faults of the data, each with the keyword of the schema that it violates. */
export function validate(schema: unknown, data: unknown): Fault[] {
  const { errors } = new Validator(schema as Schema, "2020-12", false).validate(data);
  return relevantErrors(errors as SchemaError[]).map((error) => ({
    keyword: error.keyword,
    path: pathOf(error),
    message: errorMessage(error, schema),
  }));
}

function relevantErrors(all: SchemaError[]): SchemaError[] {
  const denied = new Set(
    all.filter((error) => error.keyword === "false").map((error) => error.instanceLocation),
  );
  let errors = all.filter(
    (error) =>
      error.keyword !== "false" &&
      !WRAPPER_KEYWORDS.has(error.keyword) &&
      // Of additional properties, only those are errors that the schema forbids; others repeat a nested error.
      (error.keyword !== "additionalProperties" ||
        denied.has(`${error.instanceLocation}/${namedKey(error)}`)),
  );
  const unions = errors.filter((error) => UNION_KEYWORDS.has(error.keyword));
  for (const union of unions) if (errors.includes(union)) errors = withBestMember(errors, union);
  return errors;
}

/** Replaces the errors of all members of a union by those of the member that the value was meant to be. */
function withBestMember(errors: SchemaError[], union: SchemaError): SchemaError[] {
  const nested = errors.filter(
    (error) =>
      error.keywordLocation.startsWith(`${union.keywordLocation}/`) &&
      `${error.instanceLocation}/`.startsWith(`${union.instanceLocation}/`),
  );
  const members = [
    ...Map.groupBy(
      nested,
      (error) => error.keywordLocation.slice(union.keywordLocation.length).split("/")[1],
    ),
  ]
    .map(([, some]) => some)
    .filter((some) => !some.some((error) => isTypeError(error, union) && /"null"\.$/.test(error.error)));
  const meant = members.filter(
    (some) => !some.some((error) => error.keyword === "const" || isTypeError(error, union)),
  );
  const [best] = (meant.length ? meant : members).sort((a, b) => a.length - b.length);
  const kept = best && (meant.length || members.length === 1) ? best : [union];
  return errors.filter((error) => kept.includes(error) || (error !== union && !nested.includes(error)));
}

const isTypeError = (error: SchemaError, union: SchemaError) =>
  error.keyword === "type" && error.instanceLocation === union.instanceLocation;

const namedKey = (error: SchemaError) => /"(.*?)"/.exec(error.error)?.[1];

function pathOf(error: SchemaError): string[] {
  const parts = error.instanceLocation.split("/").slice(1).map(unescapePointer);
  const named = error.keyword === "required" || error.keyword === "additionalProperties";
  return named ? [...parts, namedKey(error) ?? ""] : parts;
}

function errorMessage(error: SchemaError, schema: unknown): string {
  const bound = /(-?[\d.eE+-]+)\.?$/.exec(error.error)?.[1]?.replace(/\.$/, "");
  switch (error.keyword) {
    case "required":
      return "is required";
    case "additionalProperties":
      return "is not a field of this form";
    case "minimum":
      return `must be at least ${bound}`;
    case "maximum":
      return `must be at most ${bound}`;
    case "exclusiveMinimum":
      return `must be more than ${bound}`;
    case "exclusiveMaximum":
      return `must be less than ${bound}`;
    case "pattern":
      return `must match the pattern ${valueOfKeyword(error, schema)}`;
    case "anyOf":
    case "oneOf":
      return "fits none of the possible types";
    case "type":
      return error.error.replace(
        /^Instance type "(.*?)" is invalid\. Expected "(.*)"\.$/,
        "must be of type $2, not $1",
      );
    default:
      return error.error.replace(/^String/, "The text").replace(/\.$/, "");
  }
}

/** The value of the violated keyword: the location of an error passes through references. */
function valueOfKeyword(error: SchemaError, schema: unknown): unknown {
  return readPointer(schema, schema, error.keywordLocation);
}

function readPointer(schema: unknown, from: unknown, pointer: string): unknown {
  let at = from;
  for (const part of pointer.split("/").slice(1)) {
    at = (at as Record<string, unknown> | undefined)?.[unescapePointer(part)];
    if (part === "$ref") at = readPointer(schema, schema, String(at));
  }
  return at;
}

const unescapePointer = (part: string) =>
  decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");

/** A validator for one form: it validates the request data against the extension's own schema. */
export function createValidator(schema: Record<string, unknown>, shape: NormalisedSchema): ValidatorType {
  return {
    validateFormData(data: unknown, _schema: RJSFSchema, _custom?: CustomValidator): ValidationData<unknown> {
      const faults = validate(schema, toRequestData(shape, data) ?? {});
      return {
        errors: faults.map(({ keyword, path, message }) => {
          const property = path.map((part) => `.${part}`).join("");
          return { name: keyword, property, message, stack: `${property} ${message}` };
        }),
        errorSchema: placeFaults(shape, faults),
      };
    },
    isValid: (schema: RJSFSchema, data: unknown) => holds(schema, data),
    rawValidation: <Result>(schema: RJSFSchema, data?: unknown) => ({
      errors: validate(schema, data) as Result[],
    }),
  };
}
