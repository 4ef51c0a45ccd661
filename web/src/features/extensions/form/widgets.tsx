// Inputs of a form. Each shows its own label, its description and its unit; what is wrong is said below by the form.
import {
  ActionIcon,
  ColorInput,
  Group,
  Input,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  Slider,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
  Tooltip,
} from "@mantine/core";
import type { WidgetProps } from "@rjsf/utils";
import { IconHandClick, IconX } from "@tabler/icons-react";
import { formatIndices, parseIndices } from "./atomIndices";
import { useFrameProperties, useSelectedAtoms } from "./useRoomData";

interface FormContext {
  room: string;
}

function labelProps(props: WidgetProps) {
  const { id, label, hideLabel, required, schema, options, rawErrors, disabled, readonly } = props;
  const unit = options.unit as string | undefined;
  return {
    id,
    size: "xs" as const,
    label: hideLabel ? undefined : label,
    description: (options.description as string | undefined) ?? schema.description,
    withAsterisk: required && schema.default === undefined,
    error: Boolean(rawErrors?.length),
    disabled: disabled || readonly,
    unit,
  };
}

function Unit({ unit }: { unit: string }) {
  return (
    <Text size="xs" c="dimmed" pr={8} style={{ whiteSpace: "nowrap" }}>
      {unit}
    </Text>
  );
}

/** Room for the unit inside the input. */
const unitSection = (unit: string | undefined) =>
  unit
    ? {
        rightSection: <Unit unit={unit} />,
        rightSectionWidth: 14 + unit.length * 8,
        rightSectionPointerEvents: "none" as const,
      }
    : {};

const asNumber = (value: string | number, whole: boolean) =>
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

export function TextWidget(props: WidgetProps) {
  const { unit, ...common } = labelProps(props);
  return (
    <TextInput
      {...common}
      {...unitSection(unit)}
      value={props.value ?? ""}
      maxLength={props.schema.maxLength}
      placeholder={props.options.nullable ? "none" : (props.placeholder ?? undefined)}
      onChange={(event) => {
        const { value } = event.currentTarget;
        props.onChange(value === "" && props.options.nullable ? undefined : value);
      }}
    />
  );
}

export function TextareaWidget(props: WidgetProps) {
  const { unit: _unit, ...common } = labelProps(props);
  return (
    <Textarea
      {...common}
      autosize
      minRows={2}
      maxRows={10}
      value={props.value ?? ""}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

export function PasswordWidget(props: WidgetProps) {
  const { unit: _unit, ...common } = labelProps(props);
  return (
    <TextInput
      {...common}
      type="password"
      autoComplete="off"
      value={props.value ?? ""}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

export function SwitchWidget(props: WidgetProps) {
  const { unit: _unit, withAsterisk: _asterisk, error: _error, ...common } = labelProps(props);
  return (
    <Switch
      {...common}
      label={props.label}
      checked={Boolean(props.value)}
      onChange={(event) => props.onChange(event.currentTarget.checked)}
    />
  );
}

function selectOptions(props: WidgetProps) {
  const values = (props.schema.enum ??
    (props.schema.items as { enum?: unknown[] } | undefined)?.enum ??
    []) as unknown[];
  return values.map((value, at) => ({ value: String(at), label: String(value), real: value }));
}

export function SelectWidget(props: WidgetProps) {
  const { unit: _unit, ...common } = labelProps(props);
  const data = selectOptions(props);
  const at = data.find((one) => one.real === props.value)?.value ?? null;
  return (
    <Select
      {...common}
      data={data}
      value={at}
      searchable={data.length > 8}
      allowDeselect={Boolean(props.options.nullable)}
      clearable={Boolean(props.options.nullable)}
      placeholder={props.options.nullable ? "none" : "choose"}
      comboboxProps={{ withinPortal: true }}
      onChange={(next) => props.onChange(next === null ? undefined : data[Number(next)]!.real)}
    />
  );
}

export function SegmentedWidget(props: WidgetProps) {
  const { label, description, withAsterisk, disabled } = labelProps(props);
  const data = selectOptions(props);
  const known = data.find((one) => one.real === props.value);
  if (props.options.nullable || (!known && props.value === undefined)) return <SelectWidget {...props} />;
  return (
    <Input.Wrapper label={label} description={description} withAsterisk={withAsterisk} size="xs">
      <SegmentedControl
        mt={4}
        size="xs"
        fullWidth
        aria-label={label}
        disabled={disabled}
        data={data}
        value={known?.value ?? ""}
        onChange={(next) => props.onChange(data[Number(next)]!.real)}
      />
    </Input.Wrapper>
  );
}

export function MultiSelectWidget(props: WidgetProps) {
  const { unit: _unit, ...common } = labelProps(props);
  const data = selectOptions(props);
  const chosen = (props.value ?? []) as unknown[];
  return (
    <MultiSelect
      {...common}
      data={data}
      value={data.filter((one) => chosen.includes(one.real)).map((one) => one.value)}
      onChange={(next) => props.onChange(next.map((at) => data[Number(at)]!.real))}
    />
  );
}

export function ColourWidget(props: WidgetProps) {
  const { unit: _unit, ...common } = labelProps(props);
  return (
    <ColorInput
      {...common}
      value={props.value ?? ""}
      onChange={(value) => props.onChange(value || undefined)}
      swatches={["#d6403f", "#e0a800", "#2a9d5c", "#2b7de0", "#6655cf", "#868e96"]}
      eyeDropperButtonProps={{ "aria-label": "Pick a colour from the screen" }}
    />
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

export function ListWidget(props: WidgetProps) {
  const { unit: _unit, ...common } = labelProps(props);
  const inner = props.schema.items as { type?: string } | undefined;
  const numeric = inner?.type === "number" || inner?.type === "integer";
  const value = Array.isArray(props.value) ? props.value.map(String) : [];
  return (
    <TagsInput
      {...common}
      value={value}
      allowDuplicates={!props.schema.uniqueItems}
      splitChars={numeric ? [",", " ", ";"] : [","]}
      placeholder={value.length ? undefined : "values, parted by commas"}
      onChange={(next) =>
        props.onChange(numeric ? next.map(Number).filter((one) => Number.isFinite(one)) : next)
      }
    />
  );
}

/** Atoms by their numbers; what is selected in the room is one click away. */
export function AtomsWidget(props: WidgetProps) {
  const { unit: _unit, ...common } = labelProps(props);
  const { room } = props.registry.formContext as FormContext;
  const selected = useSelectedAtoms(room);
  const value = Array.isArray(props.value) ? (props.value as number[]) : [];
  return (
    <TextInput
      key={formatIndices(value)}
      {...common}
      placeholder="for example 0-5, 8"
      defaultValue={formatIndices(value)}
      onBlur={(event) => {
        const parsed = parseIndices(event.currentTarget.value);
        if (parsed) props.onChange(parsed);
      }}
      rightSection={
        <Tooltip
          label={
            selected.length
              ? `Take the ${selected.length} selected atoms`
              : "No atoms are selected in the room"
          }
        >
          <ActionIcon
            size="sm"
            aria-label="Take the selected atoms"
            disabled={!selected.length}
            onClick={() => props.onChange([...selected])}
          >
            <IconHandClick size={14} />
          </ActionIcon>
        </Tooltip>
      }
    />
  );
}

/** A property of the room's frames, by what the frame at hand has. */
export function FramePropertyWidget(props: WidgetProps) {
  const { unit: _unit, ...common } = labelProps(props);
  const { room } = props.registry.formContext as FormContext;
  const known = useFrameProperties(room);
  const value = (props.value as string | undefined) ?? null;
  const names = [...new Set([...known.map((one) => one.key), ...(value ? [value] : [])])];
  return (
    <Select
      {...common}
      data={names}
      value={value}
      searchable
      clearable={Boolean(props.options.nullable)}
      allowDeselect={false}
      placeholder={names.length ? "choose" : "the room has no frames yet"}
      renderOption={({ option }) => (
        <Group justify="space-between" w="100%" wrap="nowrap">
          <span>{option.value}</span>
          <Text size="xs" c="dimmed">
            {known.find((one) => one.key === option.value)?.kind}
          </Text>
        </Group>
      )}
      onChange={(next) => props.onChange(next ?? undefined)}
    />
  );
}
