// A validator for forms that interprets the schema. The usual one compiles schemas to code, which the page's
// Content-Security-Policy forbids, and rightly so: schemas come from workers.
import { type Schema, Validator } from "@cfworker/json-schema";
import {
  type CustomValidator,
  type ErrorSchema,
  type RJSFSchema,
  type RJSFValidationError,
  toErrorSchema,
  type ValidationData,
  type ValidatorType,
} from "@rjsf/utils";

interface SchemaError {
  keyword: string;
  instanceLocation: string;
  error: string;
}

/** Faults that only say that something inside is wrong. */
const WRAPPER_KEYWORDS = new Set([
  "properties",
  "items",
  "prefixItems",
  "additionalProperties",
  "$ref",
  "allOf",
  "patternProperties",
]);

function errorMessage({ keyword, error }: SchemaError): string {
  const bound = /(-?[\d.eE+]+)\.?$/.exec(error)?.[1]?.replace(/\.$/, "");
  switch (keyword) {
    case "minimum":
      return `must be at least ${bound}`;
    case "maximum":
      return `must be at most ${bound}`;
    case "exclusiveMinimum":
      return `must be more than ${bound}`;
    case "exclusiveMaximum":
      return `must be less than ${bound}`;
    case "type":
      return error.replace(
        /^Instance type "(.*?)" is invalid\. Expected "(.*)"\.$/,
        "must be of type $2, not $1",
      );
    default:
      return error.replace(/^String/, "The text").replace(/\.$/, "");
  }
}

export function validate(schema: unknown, data: unknown): RJSFValidationError[] {
  const { errors } = new Validator(schema as Schema, "2020-12", false).validate(data);
  return (errors as SchemaError[])
    .filter((fault) => !WRAPPER_KEYWORDS.has(fault.keyword))
    .map((fault) => {
      const missing = fault.keyword === "required" ? /"(.*?)"/.exec(fault.error)?.[1] : undefined;
      const parts = fault.instanceLocation
        .split("/")
        .slice(1)
        .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
      const property = [...parts, ...(missing ? [missing] : [])].map((part) => `.${part}`).join("");
      const message = missing ? "is needed" : errorMessage(fault);
      return { name: fault.keyword, property, message, stack: `${property} ${message}` };
    });
}

/** For one form: `check` looks at the whole of its data, as it will be sent, against the extension's own schema. */
export function createValidator(check: (data: unknown) => RJSFValidationError[]): ValidatorType {
  return {
    validateFormData(data: unknown, _schema: RJSFSchema, _custom?: CustomValidator): ValidationData<unknown> {
      const errors = check(data);
      return { errors, errorSchema: toErrorSchema(errors) as ErrorSchema };
    },
    isValid: (schema: RJSFSchema, data: unknown) => {
      try {
        return new Validator(schema as unknown as Schema, "2020-12").validate(data).valid;
      } catch {
        return false;
      }
    },
    rawValidation: <Result>(schema: RJSFSchema, data?: unknown) => ({
      errors: validate(schema, data) as Result[],
    }),
  };
}
