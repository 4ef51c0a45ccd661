// The step that a form of several steps shows. Errors lead to the first step that has one.
import type { ErrorSchema } from "@rjsf/utils";
import { useEffect, useMemo, useState } from "react";
import type { NormalisedSchema } from "./normalise/schemaNode";
import { fieldsWithErrors, stepsOf, stepWith } from "./steps";
import type { FormContext } from "./validation/unparsedText";

const NONE: ReadonlySet<number> = new Set();

export function useStepper(shape: NormalisedSchema, serverErrors: ErrorSchema) {
  const steps = useMemo(() => stepsOf(shape.schema), [shape]);
  const [active, setActive] = useState(0);
  const [wrong, setWrong] = useState(NONE);
  const lead = useMemo(
    () => (errors: ErrorSchema | undefined) => {
      const fields = fieldsWithErrors(errors ?? {});
      const first = stepWith(steps, fields);
      setWrong(
        new Set(steps.flatMap((step, at) => (step.fields.some((one) => fields.has(one)) ? [at] : []))),
      );
      if (first >= 0) setActive(first);
    },
    [steps],
  );
  useEffect(() => {
    if (steps.length) lead(serverErrors);
  }, [steps, serverErrors, lead]);
  /** Shows the step that a field is in, and marks it as wrong. */
  const reveal = useMemo(
    () => (field: HTMLElement) => {
      const its = field.closest<HTMLElement>("[data-step-fields]")?.dataset.stepFields;
      if (its === undefined) return;
      setWrong((known) => new Set([...known, Number(its)]));
      setActive(Number(its));
    },
    [],
  );
  const stepper = useMemo((): FormContext["stepper"] => {
    if (!steps.length) return undefined;
    return { steps, active: Math.min(active, steps.length - 1), wrong, go: setActive };
  }, [steps, active, wrong]);
  return { stepper, lead, reveal };
}
