// Widgets for numbers: input, slider and vector.
import { ActionIcon, Group, Input, NumberInput, Slider, Text } from "@mantine/core";
import type { WidgetProps } from "@rjsf/utils";
import { IconX } from "@tabler/icons-react";
import { labelProps, Unit, unitSection } from "./labelProps";
export const asNumber = (value: string | number, whole: boolean) =>
  value === ""
    ? undefined
    : typeof value === "number"
      ? value
      : whole
        ? Number.parseInt(value, 10)
        : Number.parseFloat(value);

function bounds(props: WidgetProps) {
  const { schema } = props;
  const whole = schema.type === "integer";
  const low = schema.minimum ?? schema.exclusiveMinimum;
  const high = schema.maximum ?? schema.exclusiveMaximum;
  const span = low !== undefined && high !== undefined ? high - low : undefined;
  const step = schema.multipleOf ?? (whole ? 1 : span ? 10 ** Math.floor(Math.log10(span / 100)) : 0.1);
  return { whole, low, high, step };
}

export function NumberWidget(props: WidgetProps) {
  const { unit, ...common } = labelProps(props);
  const { whole, step } = bounds(props);
  return (
    <NumberInput
      {...common}
      {...unitSection(unit)}
      hideControls={Boolean(unit)}
      step={step}
      allowDecimal={!whole}
      value={props.value ?? ""}
      placeholder={props.options.nullable ? "none" : undefined}
      onChange={(value) => props.onChange(asNumber(value, whole))}
    />
  );
}

/** A bounded number: a slider for the eye, an input for the exact value. */
export function SliderWidget(props: WidgetProps) {
  const { unit, label, description, withAsterisk, id, disabled, error } = labelProps(props);
  const { whole, low = 0, high = 1, step } = bounds(props);
  const lowest = props.schema.minimum ?? low + step;
  const highest = props.schema.maximum ?? high - step;
  const value = typeof props.value === "number" ? props.value : undefined;
  return (
    <Input.Wrapper
      label={label}
      description={description}
      withAsterisk={withAsterisk}
      labelProps={{ htmlFor: id }}
      size="xs"
    >
      <Group gap="sm" wrap="nowrap" mt={4}>
        <Slider
          style={{ flex: 1 }}
          size={4}
          thumbSize={14}
          label={null}
          min={lowest}
          max={highest}
          step={step}
          disabled={disabled}
          value={Math.min(Math.max(value ?? lowest, lowest), highest)}
          thumbLabel={`${label}, slider`}
          onChange={(next) => props.onChange(whole ? Math.round(next) : Number(next.toPrecision(6)))}
        />
        <NumberInput
          id={id}
          size="xs"
          w={unit ? 112 : 84}
          error={error}
          disabled={disabled}
          {...unitSection(unit)}
          hideControls
          step={step}
          allowDecimal={!whole}
          placeholder={props.options.nullable ? "none" : undefined}
          value={value ?? ""}
          onChange={(next) => props.onChange(asNumber(next, whole))}
        />
      </Group>
    </Input.Wrapper>
  );
}

/** Some numbers in a row: a direction, a box, a range. */
export function VectorWidget(props: WidgetProps) {
  const { unit, label, description, withAsterisk, disabled, error, id } = labelProps(props);
  const length = (props.options.length as number | undefined) ?? 3;
  const value = Array.isArray(props.value) ? (props.value as (number | undefined)[]) : [];
  const names = length <= 3 ? ["x", "y", "z"] : undefined;
  return (
    <Input.Wrapper label={label} description={description} withAsterisk={withAsterisk} size="xs">
      <Group gap={6} wrap="nowrap" mt={4}>
        {Array.from({ length }, (_, at) => (
          <NumberInput
            key={at}
            id={at === 0 ? id : undefined}
            size="xs"
            style={{ flex: 1, minWidth: 0 }}
            hideControls
            error={error}
            disabled={disabled}
            aria-label={`${label} ${names?.[at] ?? at + 1}`}
            leftSection={
              names ? (
                <Text size="xs" c="dimmed">
                  {names[at]}
                </Text>
              ) : undefined
            }
            leftSectionWidth={names ? 20 : undefined}
            value={value[at] ?? ""}
            onChange={(next) => {
              const changed = Array.from({ length }, (_, other) => value[other] ?? 0);
              changed[at] = asNumber(next, false) ?? 0;
              props.onChange(changed);
            }}
          />
        ))}
        {unit && <Unit unit={unit} />}
        {props.options.nullable && value.length > 0 && (
          <ActionIcon size="sm" aria-label={`Clear ${label}`} onClick={() => props.onChange(undefined)}>
            <IconX size={12} />
          </ActionIcon>
        )}
      </Group>
    </Input.Wrapper>
  );
}
