// The inputs of one sweep axis: its field, and a range or a list of values.
import {
  ActionIcon,
  Badge,
  Checkbox,
  Group,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { AxisDraft } from "./axisDraft";
import type { SweepField, SweepRange } from "./sweepFields";
export function AxisRow({
  axis,
  fields,
  values,
  update,
  replace,
  remove,
}: {
  axis: AxisDraft;
  fields: SweepField[];
  values: unknown[] | null;
  update: (change: Partial<AxisDraft>) => void;
  replace: (field: SweepField) => void;
  remove?: () => void;
}) {
  const { field, range } = axis;
  const numeric = field.kind === "number" || field.kind === "integer";
  const options = field.kind === "boolean" ? [false, true] : (field.choices ?? []);
  const setRange = (change: Partial<SweepRange>) => update({ range: { ...range, ...change } });
  return (
    <Stack gap={6} className="surface" p="sm">
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <Select
          label="Field"
          size="xs"
          style={{ flex: 1 }}
          allowDeselect={false}
          data={fields.map((one) => ({ value: one.path.join("."), label: one.title }))}
          value={field.path.join(".")}
          onChange={(value) => {
            const next = fields.find((one) => one.path.join(".") === value);
            if (next) replace(next);
          }}
        />
        {numeric && (
          <Select
            label="Values"
            size="xs"
            w={150}
            allowDeselect={false}
            data={[
              { value: "even", label: "evenly spaced" },
              { value: "log", label: "logarithmic" },
              { value: "typed", label: "a list" },
            ]}
            value={axis.typed ? "typed" : range.spacing}
            onChange={(value) =>
              value === "typed"
                ? update({ typed: true, text: (values ?? []).join(", ") })
                : update({ typed: false, range: { ...range, spacing: value as SweepRange["spacing"] } })
            }
          />
        )}
        {remove && (
          <ActionIcon aria-label={`Leave ${field.title} as it is`} onClick={remove} mb={2}>
            <IconTrash size={15} />
          </ActionIcon>
        )}
      </Group>
      {numeric && !axis.typed && (
        <Group gap="xs" grow>
          <NumberInput
            label="From"
            size="xs"
            value={range.from}
            hideControls
            onChange={(value) => setRange({ from: Number(value) })}
          />
          <NumberInput
            label="To"
            size="xs"
            value={range.to}
            hideControls
            onChange={(value) => setRange({ to: Number(value) })}
          />
          <NumberInput
            label="How many"
            size="xs"
            min={1}
            max={1000}
            value={range.count}
            onChange={(value) => setRange({ count: Number(value) || 1 })}
          />
        </Group>
      )}
      {axis.typed && (
        <TextInput
          label="Values, separated by commas"
          size="xs"
          value={axis.text}
          error={values === null ? "These do not fit the field." : undefined}
          onChange={(event) => update({ text: event.currentTarget.value })}
        />
      )}
      {options.length > 0 && (
        <Group gap="md">
          {options.map((option) => (
            <Checkbox
              key={String(option)}
              size="xs"
              label={typeof option === "boolean" ? (option ? "yes" : "no") : String(option)}
              checked={axis.chosen.includes(option)}
              onChange={(event) =>
                update({
                  chosen: options.filter((one) =>
                    one === option ? event.currentTarget.checked : axis.chosen.includes(one),
                  ),
                })
              }
            />
          ))}
        </Group>
      )}
      {numeric && values && (
        <Group gap={4}>
          {values.slice(0, 12).map((value, at) => (
            <Badge key={at} size="sm" color="gray" className="numbers">
              {String(value)}
            </Badge>
          ))}
          {values.length > 12 && <Text size="xs">and {values.length - 12} more</Text>}
          {field.unit && (
            <Text size="xs" c="dimmed">
              {field.unit}
            </Text>
          )}
        </Group>
      )}
    </Stack>
  );
}
