// The fields of one step, with buttons to the step before and after. The other steps stay mounted, so that their fields keep
// what was typed.
import { Button, Group, Stack, Stepper } from "@mantine/core";
import type { ObjectFieldTemplateProps } from "@rjsf/utils";
import type { FormContext } from "../validation/unparsedText";

type Properties = ObjectFieldTemplateProps["properties"];

export function StepFields({
  properties,
  stepper,
}: {
  properties: Properties;
  stepper: NonNullable<FormContext["stepper"]>;
}) {
  const { steps, active, wrong, go } = stepper;
  return (
    <Stack gap="sm">
      <Stepper active={active} onStepClick={go} size="xs" iconSize={24} aria-label="Steps">
        {steps.map((step, at) => (
          <Stepper.Step
            key={step.title}
            label={step.title}
            aria-current={at === active ? "step" : undefined}
            color={wrong.has(at) ? "red" : undefined}
          />
        ))}
      </Stepper>
      {steps.map((step, at) => (
        <Stack key={step.title} gap="sm" data-step-fields={at} display={at === active ? undefined : "none"}>
          {properties
            .filter((one) => !one.hidden && step.fields.includes(one.name))
            .map((one) => (
              <div key={one.name}>{one.content}</div>
            ))}
        </Stack>
      ))}
      <Group justify="space-between">
        <Button size="xs" variant="default" disabled={active === 0} onClick={() => go(active - 1)}>
          Back
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={active === steps.length - 1}
          onClick={() => go(active + 1)}
        >
          Next
        </Button>
      </Group>
    </Stack>
  );
}
