// Widgets for numbers: input, slider and vector.
import { ActionIcon, Group, Input, Slider, Text } from "@mantine/core";
import type { WidgetProps } from "@rjsf/utils";
import { IconX } from "@tabler/icons-react";
import type { KeyboardEvent } from "react";
import { logNext, logShare, logValue, numberRange } from "../numberRange";
import { labelProps, Unit, unitSection } from "./labelProps";
import { NumberField } from "./NumberField";
import classes from "./numberWidgets.module.css";

/** What an empty field stands for: nothing, or the default that the server uses. */
function emptyText({ options, schema }: WidgetProps): string | undefined {
  if (options.nullable) return "none";
  return schema.default === undefined ? undefined : `default ${schema.default}`;
}

export function NumberWidget(props: WidgetProps) {
  const { unit, ...common } = labelProps(props);
  return (
    <NumberField
      {...common}
      {...unitSection(unit)}
      registry={props.registry}
      step={numberRange(props.schema).step}
      value={props.value ?? undefined}
      placeholder={emptyText(props)}
      onChange={props.onChange}
    />
  );
}

const DIRECTIONS: Record<string, 1 | -1> = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 };

/** A bounded number: a slider, and an input for the exact value. */
export function SliderWidget(props: WidgetProps) {
  const { unit, label, description, withAsterisk, id, disabled, error } = labelProps(props);
  const range = numberRange(props.schema);
  const { whole, step, lowest = 0, highest = 1, logarithmic } = range;
  const value = typeof props.value === "number" ? props.value : undefined;
  const press = (event: KeyboardEvent) => {
    const direction = DIRECTIONS[event.key];
    if (!logarithmic || disabled || direction === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // the slider's own step is so short that it can be rounded away
    props.onChange(logNext(range, Math.max(value ?? lowest, lowest), direction));
  };
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
          onKeyDownCapture={press}
          classNames={{ root: classes.slider, bar: classes.bar, thumb: classes.thumb }}
          data-unset={value === undefined || undefined}
          size={4}
          thumbSize={14}
          label={null}
          min={logarithmic ? 0 : lowest}
          max={logarithmic ? 1 : highest}
          step={logarithmic ? 0.01 : step}
          disabled={disabled}
          value={
            logarithmic
              ? logShare(range, value ?? lowest)
              : Math.min(Math.max(value ?? lowest, lowest), highest)
          }
          thumbLabel={`${props.label}, slider`}
          thumbValueText={value === undefined ? "none" : String(value)}
          onChange={(next) => {
            const chosen = logarithmic ? logValue(range, next) : Number(next.toPrecision(6));
            props.onChange(whole ? Math.round(chosen) : chosen);
          }}
        />
        <NumberField
          id={id}
          aria-label={label ? undefined : props.label}
          size="xs"
          w={unit ? 112 : 84}
          error={error}
          disabled={disabled}
          {...unitSection(unit)}
          registry={props.registry}
          step={step}
          placeholder={emptyText(props)}
          value={value}
          onChange={props.onChange}
        />
      </Group>
    </Input.Wrapper>
  );
}

/** A fixed number of numbers in a row, such as a direction or a range. */
export function VectorWidget(props: WidgetProps) {
  const { unit, label, description, withAsterisk, disabled, error, id } = labelProps(props);
  const length = (props.options.length as number | undefined) ?? 3;
  const value = Array.isArray(props.value) ? (props.value as (number | null | undefined)[]) : [];
  const names = length === 3 ? ["x", "y", "z"] : undefined;
  return (
    <Input.Wrapper label={label} description={description} withAsterisk={withAsterisk} size="xs">
      <Group gap={6} wrap="nowrap" mt={4}>
        {Array.from({ length }, (_, at) => (
          <NumberField
            key={at}
            id={at === 0 ? id : `${id}-${at}`}
            registry={props.registry}
            step={1}
            size="xs"
            style={{ flex: 1, minWidth: 0 }}
            error={error}
            disabled={disabled}
            aria-label={`${props.label} ${names?.[at] ?? at + 1}`}
            leftSection={
              names ? (
                <Text size="xs" c="dimmed">
                  {names[at]}
                </Text>
              ) : undefined
            }
            leftSectionWidth={names ? 20 : undefined}
            value={value[at] ?? undefined}
            onChange={(next) => {
              const changed = Array.from({ length }, (_, other) => value[other]);
              changed[at] = next;
              props.onChange(changed.some((one) => one !== undefined) ? changed : undefined);
            }}
          />
        ))}
        {unit && <Unit unit={unit} />}
        {props.options.nullable && value.length > 0 && (
          <ActionIcon size="sm" aria-label={`Clear ${props.label}`} onClick={() => props.onChange(undefined)}>
            <IconX size={12} />
          </ActionIcon>
        )}
      </Group>
    </Input.Wrapper>
  );
}
