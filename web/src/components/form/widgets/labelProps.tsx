// Label, description, error state and unit: properties that every widget of a form shares.
import { Text } from "@mantine/core";
import type { WidgetProps } from "@rjsf/utils";

export function labelProps(props: WidgetProps) {
  const { id, label, hideLabel, required, schema, options, rawErrors, disabled, readonly } = props;
  const unit = options.unit as string | undefined;
  return {
    id,
    size: "xs" as const,
    label: hideLabel ? undefined : label,
    "aria-label": hideLabel ? label : undefined,
    description: (options.description as string | undefined) ?? schema.description,
    withAsterisk: required && schema.default === undefined,
    error: Boolean(rawErrors?.length),
    disabled: disabled || readonly,
    unit,
  };
}

export function Unit({ unit }: { unit: string }) {
  return (
    <Text size="xs" c="dimmed" pr={8} style={{ whiteSpace: "nowrap" }}>
      {unit}
    </Text>
  );
}

/** The unit inside the input, at its right edge. */
export const unitSection = (unit: string | undefined) =>
  unit
    ? {
        rightSection: <Unit unit={unit} />,
        rightSectionWidth: 14 + unit.length * 8,
        rightSectionPointerEvents: "none" as const,
      }
    : {};
