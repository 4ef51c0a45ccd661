// Widgets for text, passwords, colours and lists of values.
import { Autocomplete, ColorInput, TagsInput, Textarea, TextInput } from "@mantine/core";
import type { WidgetProps } from "@rjsf/utils";
import { useState } from "react";
import { type FormContext, useUnparsedText } from "../validation/unparsedText";
import { labelProps, unitSection } from "./labelProps";
import { parseNumber } from "./NumberField";

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

/** A text with the examples of the schema as suggestions. */
export function SuggestionsWidget(props: WidgetProps) {
  const { unit: _unit, ...common } = labelProps(props);
  const examples = [...new Set(((props.schema.examples ?? []) as unknown[]).map(String))];
  return (
    <Autocomplete
      {...common}
      data={examples}
      value={props.value ?? ""}
      maxLength={props.schema.maxLength}
      placeholder={props.options.nullable ? "none" : undefined}
      // All suggestions are offered while the field shows one of them.
      filter={({ options, search }) =>
        examples.includes(search)
          ? options
          : options.filter((one) => "label" in one && one.label.toLowerCase().includes(search.toLowerCase()))
      }
      comboboxProps={{ withinPortal: true }}
      onChange={(value) => props.onChange(value === "" && props.options.nullable ? undefined : value)}
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
      placeholder={props.options.hasDefault ? "the default" : props.options.nullable ? "none" : undefined}
      value={props.value ?? ""}
      onChange={(event) => props.onChange(event.currentTarget.value || undefined)}
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

export function ListWidget(props: WidgetProps) {
  const { unit: _unit, error, ...common } = labelProps(props);
  const inner = props.schema.items as { type?: string } | undefined;
  const numeric = inner?.type === "number" || inner?.type === "integer";
  const value = Array.isArray(props.value) ? props.value.map(String) : [];
  // The texts as they are typed while one of them is no number; without them, the field shows its value.
  const [typed, setTyped] = useState<string[] | null>(null);
  const wrong = numeric ? (typed ?? []).filter((text) => parseNumber(text) == null) : [];
  useUnparsedText(props.registry.formContext as FormContext, props.id, wrong.length > 0);
  const shown = typed ?? value;
  return (
    <TagsInput
      {...common}
      error={wrong.length ? `${wrong.join(", ")}: not a number` : error}
      value={shown}
      allowDuplicates={!props.schema.uniqueItems}
      splitChars={numeric ? [",", " ", ";"] : [","]}
      placeholder={shown.length ? undefined : "values, separated by commas"}
      onChange={(next) => {
        const parsed = numeric ? next.map(parseNumber) : next;
        const isWhole = parsed.every((one) => one != null);
        setTyped(isWhole ? null : next);
        if (isWhole) props.onChange(parsed);
      }}
    />
  );
}
