// A text input for a number, also in scientific notation. The arrow keys change the number by one step.
import { TextInput, type TextInputProps } from "@mantine/core";
import type { WidgetProps } from "@rjsf/utils";
import { useState } from "react";
import { type FormContext, useUnparsedText } from "../validation/unparsedText";

interface Props extends Omit<TextInputProps, "id" | "value" | "onChange"> {
  id: string;
  registry: WidgetProps["registry"];
  value: number | undefined;
  step: number;
  onChange: (value: number | undefined) => void;
}

export function NumberField({ id, registry, value, step, onChange, error, ...more }: Props) {
  // The text as it is typed; without it, the field shows its value.
  const [typed, setTyped] = useState<string | null>(null);
  const parsed = typed === null ? value : parseNumber(typed);
  const wrong = parsed === null;
  useUnparsedText(registry.formContext as FormContext, id, wrong);
  return (
    <TextInput
      {...more}
      id={id}
      inputMode="decimal"
      autoComplete="off"
      error={wrong ? "This is not a number." : error}
      value={typed ?? value ?? ""}
      onChange={(event) => {
        const text = event.currentTarget.value;
        const number = parseNumber(text);
        setTyped(text);
        if (number !== null) onChange(number);
      }}
      onBlur={() => {
        if (!wrong) setTyped(null);
      }}
      onKeyDown={(event) => {
        const steps = { ArrowUp: step, ArrowDown: -step }[event.key];
        if (steps === undefined || wrong) return;
        event.preventDefault();
        setTyped(null);
        onChange(Number(((parsed ?? 0) + steps).toPrecision(12)));
      }}
    />
  );
}

/** Undefined for no text, and null for a text that is no number. */
export function parseNumber(text: string): number | undefined | null {
  const trimmed = text.trim();
  if (!trimmed) return undefined;
  const number = /^[-+.\d]/.test(trimmed) ? Number(trimmed) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}
