// Forms of several steps: fields with `step` in their schema are grouped by it, in the order of the class. Fields without
// a step belong to the step of the field before them.
import type { RJSFSchema } from "@rjsf/utils";
import { allProperties } from "./conditions";

export interface Step {
  title: string;
  fields: string[];
}

/** The steps of a form; none for a form without. */
export function stepsOf(schema: RJSFSchema): Step[] {
  const steps: Step[] = [];
  const early: string[] = [];
  for (const [name, property] of Object.entries(allProperties(schema))) {
    const title = (property as { step?: unknown }).step;
    let step = typeof title === "string" ? steps.find((one) => one.title === title) : steps.at(-1);
    if (!step && typeof title === "string") {
      step = { title, fields: [] };
      steps.push(step);
    }
    if (step) step.fields.push(name);
    else early.push(name);
  }
  steps[0]?.fields.unshift(...early);
  return steps.length > 1 ? steps : [];
}

/** The first step with a field among these; -1 if none has. */
export const stepWith = (steps: Step[], fields: ReadonlySet<string>) =>
  steps.findIndex((step) => step.fields.some((field) => fields.has(field)));

/** The fields of an error schema with an error in them. */
export function fieldsWithErrors(errors: object): Set<string> {
  return new Set(Object.entries(errors).flatMap(([name, inner]) => (hasErrors(inner) ? [name] : [])));
}

function hasErrors(errors: unknown): boolean {
  if (typeof errors !== "object" || errors === null) return false;
  return Object.entries(errors).some(([name, inner]) =>
    name === "__errors" ? Array.isArray(inner) && inner.length > 0 : hasErrors(inner),
  );
}
