// The values of a form in the address of its page: `?fmax=0.01&method=BFGS`. The router reads each as JSON, otherwise as text.
import { changedValues, fittingValues, withoutSecrets } from "@/components/form/formValues";
import type { NormalisedSchema } from "@/components/form/normalise/schemaNode";
import { toRequestData } from "@/components/form/requestData";

type Values = Record<string, unknown>;

interface AddressValues {
  values: Values;
  /** Parameters that no field takes. */
  refused: string[];
}

export function readAddress(schema: Values, shape: NormalisedSchema, search: Values): AddressValues {
  const values: Values = {};
  const refused: string[] = [];
  for (const [name, given] of Object.entries(search)) {
    // A text such as "12" is read as a number: the field decides.
    const candidates = typeof given === "string" ? [given] : [given, textOf(given)];
    const fitting = candidates.find((one) =>
      Object.hasOwn(fittingValues(schema, shape, { [name]: one }), name),
    );
    if (fitting === undefined) refused.push(name);
    else values[name] = fitting;
  }
  return { values, refused };
}

const textOf = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** The values that differ from the defaults, without secrets, as parameters of an address. */
export function writeAddress(schema: Values, shape: NormalisedSchema, data: unknown): URLSearchParams {
  const sent = toRequestData(shape, withoutSecrets(shape, changedValues(schema, shape, data))) as Values;
  const pairs = Object.entries(sent).map(([name, value]) => [name, parameter(value)] as [string, string]);
  return new URLSearchParams(pairs);
}

/** Text as it is, unless it would be read as something else. */
function parameter(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  try {
    JSON.parse(value);
    return JSON.stringify(value);
  } catch {
    return value;
  }
}
