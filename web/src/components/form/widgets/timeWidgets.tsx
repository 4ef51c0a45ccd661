// Widgets for dates and times: the browser's own inputs.
import { TextInput } from "@mantine/core";
import type { WidgetProps } from "@rjsf/utils";
import { fromInput, type TimeFormat, toInput } from "../localTime";
import { labelProps } from "./labelProps";
import { TextWidget } from "./textWidgets";

const INPUT_TYPES = { date: "date", time: "time", "date-time": "datetime-local" } as const;

export function TimeWidget(props: WidgetProps) {
  const { unit: _unit, ...common } = labelProps(props);
  const format = props.options.timeFormat as TimeFormat;
  const text = props.value ? toInput(format, String(props.value)) : "";
  // A value that the input cannot show stays visible as text.
  if (text === null) return <TextWidget {...props} />;
  return (
    <TextInput
      {...common}
      type={INPUT_TYPES[format]}
      step={format === "date" ? undefined : 1}
      value={text}
      onChange={(event) => props.onChange(fromInput(format, event.currentTarget.value))}
    />
  );
}
