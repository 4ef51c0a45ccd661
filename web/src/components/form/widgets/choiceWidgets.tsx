// Widgets for booleans and enumerations.
import { Input, MultiSelect, SegmentedControl, Select, Switch } from "@mantine/core";
import type { WidgetProps } from "@rjsf/utils";
import { labelProps } from "./labelProps";
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

const OPTIONAL_BOOLEANS = [
  { value: "", label: "none", real: undefined },
  { value: "no", label: "no", real: false },
  { value: "yes", label: "yes", real: true },
];

export function OptionalBooleanWidget(props: WidgetProps) {
  const { label, description, disabled } = labelProps(props);
  const known = OPTIONAL_BOOLEANS.find((one) => one.real === (props.value ?? undefined))!;
  return (
    <Input.Wrapper label={label} description={description} size="xs">
      <SegmentedControl
        mt={4}
        size="xs"
        fullWidth
        aria-label={props.label}
        disabled={disabled}
        data={OPTIONAL_BOOLEANS}
        value={known.value}
        onChange={(next) => props.onChange(OPTIONAL_BOOLEANS.find((one) => one.value === next)!.real)}
      />
    </Input.Wrapper>
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
