// Widgets for dates and times: the browser's own inputs.
import { TextInput } from "@mantine/core";
import type { WidgetProps } from "@rjsf/utils";
import { useState } from "react";
import { fromInput, type TimeFormat, toInput } from "../localTime";
import { type FormContext, useUnparsedText } from "../validation/unparsedText";
import { labelProps } from "./labelProps";
import { TextWidget } from "./textWidgets";

const INPUT_TYPES = { date: "date", time: "time", "date-time": "datetime-local" } as const;

const NAMES = { date: "date", time: "time", "date-time": "date and time" } as const;

export function TimeWidget(props: WidgetProps) {
  const { unit: _unit, error, ...common } = labelProps(props);
  const format = props.options.timeFormat as TimeFormat;
  // While only a part is typed, such as a day without a year, the input's value is empty like that of an untouched one.
  const [isPartial, setPartial] = useState(false);
  useUnparsedText(props.registry.formContext as FormContext, props.id, isPartial);
  const check = ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
    setPartial(currentTarget.validity.badInput);
  const text = props.value ? toInput(format, String(props.value)) : "";
  // A value that the input cannot show stays visible as text.
  if (text === null) return <TextWidget {...props} />;
  return (
    <TextInput
      {...common}
      type={INPUT_TYPES[format]}
      step={format === "date" ? undefined : 1}
      error={isPartial ? `This is not a whole ${NAMES[format]}. Complete it, or clear the field.` : error}
      value={text}
      onKeyUp={check}
      onBlur={check}
      onChange={(event) => {
        check(event);
        props.onChange(fromInput(format, event.currentTarget.value));
      }}
    />
  );
}
