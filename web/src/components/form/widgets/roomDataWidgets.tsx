// Widgets that read the room: atom indices and properties of the current frame.
import { ActionIcon, Autocomplete, Group, Select, Text, TextInput, Tooltip } from "@mantine/core";
import type { WidgetProps } from "@rjsf/utils";
import { IconHandClick } from "@tabler/icons-react";
import { useState } from "react";
import { formatIndices, parseIndices } from "../atomIndices";
import { useFrameProperties, useSelectedAtoms } from "../useRoomData";
import { type FormContext, useUnparsedText } from "../validation/unparsedText";
import { labelProps } from "./labelProps";

/** Atom indices; a button inserts the atoms selected in the room. */
export function AtomsWidget(props: WidgetProps) {
  const { unit: _unit, error, ...common } = labelProps(props);
  const context = props.registry.formContext as FormContext;
  const selected = useSelectedAtoms(context.room);
  const value = Array.isArray(props.value) ? (props.value as number[]) : [];
  // The text as it is typed; without it, the field shows its value.
  const [typed, setTyped] = useState<string | null>(null);
  const wrong = typed !== null && parseIndices(typed) === null;
  useUnparsedText(context, props.id, wrong);
  return (
    <TextInput
      {...common}
      error={wrong ? "These are not atom indices. Write indices and ranges, such as 0-5, 8." : error}
      placeholder={props.options.nullable ? "none" : "for example 0-5, 8"}
      value={typed ?? formatIndices(value)}
      onChange={(event) => {
        const text = event.currentTarget.value;
        const parsed = parseIndices(text);
        setTyped(text);
        if (parsed) props.onChange(!parsed.length && props.options.nullable ? undefined : parsed);
      }}
      onBlur={() => {
        if (!wrong) setTyped(null);
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
            aria-label="Use the selected atoms"
            disabled={!selected.length}
            onClick={() => {
              setTyped(null);
              props.onChange([...selected]);
            }}
          >
            <IconHandClick size={14} />
          </ActionIcon>
        </Tooltip>
      }
    />
  );
}

/** A property of the current frame; with examples in the schema, also one that is computed from it. */
export function FramePropertyWidget(props: WidgetProps) {
  const { unit: _unit, ...common } = labelProps(props);
  const { room } = props.registry.formContext as FormContext;
  const known = useFrameProperties(room);
  const value = (props.value as string | undefined) ?? null;
  const examples = ((props.schema.examples ?? []) as unknown[]).map(String);
  const names = [...new Set([...known.map((one) => one.key), ...(value ? [value] : [])])];
  const option = ({ option }: { option: { value: string } }) => (
    <Group justify="space-between" w="100%" wrap="nowrap">
      <span>{option.value}</span>
      <Text size="xs" c="dimmed">
        {known.find((one) => one.key === option.value)?.kind ?? "computed"}
      </Text>
    </Group>
  );
  if (examples.length) {
    const offered = [...new Set([...known.map((one) => one.key), ...examples])];
    return (
      <Autocomplete
        {...common}
        data={offered}
        value={value ?? ""}
        placeholder={props.options.nullable ? "none" : undefined}
        // All names are offered while the field shows one of them.
        filter={({ options, search }) =>
          offered.includes(search)
            ? options
            : options.filter((one) => "value" in one && String(one.value).includes(search))
        }
        comboboxProps={{ withinPortal: true }}
        renderOption={option}
        onChange={(next) => props.onChange(next === "" && props.options.nullable ? undefined : next)}
      />
    );
  }
  return (
    <Select
      {...common}
      data={names}
      value={value}
      searchable
      clearable={Boolean(props.options.nullable)}
      allowDeselect={false}
      placeholder={names.length ? "choose" : "the room has no frames yet"}
      renderOption={option}
      onChange={(next) => props.onChange(next ?? undefined)}
    />
  );
}
