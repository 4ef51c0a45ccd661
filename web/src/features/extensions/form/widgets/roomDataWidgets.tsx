// Widgets that read the room: atom indices and properties of the current frame.
import { ActionIcon, Group, Select, Text, TextInput, Tooltip } from "@mantine/core";
import type { WidgetProps } from "@rjsf/utils";
import { IconHandClick } from "@tabler/icons-react";
import { formatIndices, parseIndices } from "../atomIndices";
import { useFrameProperties, useSelectedAtoms } from "../useRoomData";
import { labelProps } from "./labelProps";

interface FormContext {
  room: string;
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
