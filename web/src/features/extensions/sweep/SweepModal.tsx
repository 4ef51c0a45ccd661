// Turn fields into ranges: every combination becomes one job of one posting.
import {
  ActionIcon,
  Alert,
  Badge,
  Button,
  Checkbox,
  Group,
  Modal,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { CodeBlock } from "@/components/CodeBlock";
import { callJson, roomPath, type Schemas } from "@/lib/api/client";
import { plural } from "@/lib/format";
import { sweepSnippet } from "@/lib/jobs/pythonSnippet";
import type { NormalisedSchema } from "../form/normaliseSchema";
import { parseValues, rangeValues, type SweepField, type SweepRange, sweepFields } from "./sweepAxes";

const MAX_JOBS = 10_000;
const MAX_AXES = 4;

interface AxisDraft {
  field: SweepField;
  range: SweepRange;
  text: string;
  chosen: unknown[];
  typed: boolean;
}

function axisFor(field: SweepField, current: unknown): AxisDraft {
  const low = field.low ?? (typeof current === "number" ? current / 2 : 0);
  const high = field.high ?? (typeof current === "number" ? current * 2 || 1 : 1);
  return {
    field,
    range: { from: low, to: high, count: 5, spacing: "even" },
    text: current === undefined ? "" : String(current),
    chosen: field.kind === "boolean" ? [false, true] : (field.choices ?? []),
    typed: field.kind === "string",
  };
}

function valuesOfAxis(axis: AxisDraft): unknown[] | null {
  if (axis.field.kind === "choice" || axis.field.kind === "boolean") return axis.chosen;
  if (axis.typed) return parseValues(axis.text, axis.field.kind);
  return rangeValues(axis.range, axis.field.kind === "integer");
}

const valueAt = (data: unknown, path: string[]) =>
  path.reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], data);

export default function SweepModal({
  room,
  extension,
  shape,
  data,
  close,
}: {
  room: string;
  extension: Schemas["ExtensionInfo"];
  shape: NormalisedSchema;
  data: Record<string, unknown>;
  close: () => void;
}) {
  const fields = sweepFields(shape.schema);
  const [axes, setAxes] = useState<AxisDraft[]>(() =>
    fields.length ? [axisFor(fields[0]!, valueAt(data, fields[0]!.path))] : [],
  );
  const [python, setPython] = useState(false);
  const navigate = useNavigate();
  const free = fields.filter(
    (field) => !axes.some((axis) => axis.field.path.join(".") === field.path.join(".")),
  );
  const values = axes.map(valuesOfAxis);
  const ready = values.every((one) => one !== null && one.length > 0) && axes.length > 0;
  const jobs = ready ? values.reduce((product, one) => product * one!.length, 1) : 0;
  const update = (at: number, change: Partial<AxisDraft>) =>
    setAxes((known) => known.map((axis, other) => (other === at ? { ...axis, ...change } : axis)));

  const post = useMutation({
    meta: { quiet: true },
    mutationFn: () =>
      callJson<{ postingId: string }>(
        "POST",
        roomPath(room, "extensions", extension.category, extension.name, "sweep"),
        {
          body: {
            data,
            over: Object.fromEntries(axes.map((axis, at) => [axis.field.path.join("."), values[at]])),
            label: axes.map((axis) => axis.field.path.join(".")).join(" × "),
            scope: extension.scope,
          },
        },
      ),
    onSuccess: ({ postingId }) => {
      close();
      void navigate({ to: "/postings/$posting", params: { posting: postingId } });
    },
  });

  return (
    <Modal opened onClose={close} title={`Sweep ${extension.name}`} size="lg" centered>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Every combination becomes one job, all with the other values of the form. They share the queue with
          everybody else's jobs.
        </Text>
        {axes.map((axis, at) => (
          <AxisRow
            key={axis.field.path.join(".")}
            axis={axis}
            fields={[axis.field, ...free]}
            values={values[at] ?? null}
            update={(change) => update(at, change)}
            replace={(field) => update(at, axisFor(field, valueAt(data, field.path)))}
            remove={
              axes.length > 1 ? () => setAxes((known) => known.filter((_, other) => other !== at)) : undefined
            }
          />
        ))}
        {!fields.length && (
          <Alert color="gray">{extension.name} has no single value that could be swept.</Alert>
        )}
        <Group justify="space-between">
          <Button
            variant="default"
            leftSection={<IconPlus size={14} />}
            disabled={!free.length || axes.length >= MAX_AXES}
            onClick={() => setAxes((known) => [...known, axisFor(free[0]!, valueAt(data, free[0]!.path))])}
          >
            Another field
          </Button>
          <Button variant="subtle" disabled={!ready} onClick={() => setPython((shown) => !shown)}>
            {python ? "Hide the Python" : "Show as Python"}
          </Button>
        </Group>
        {python && ready && (
          <CodeBlock
            code={sweepSnippet(
              { room, url: location.origin, category: extension.category, name: extension.name, data },
              axes.map((axis, at) => ({ path: axis.field.path, values: values[at]! })),
            )}
          />
        )}
        {post.error && (
          <Alert color="red" p="xs" role="alert">
            {post.error.message}
          </Alert>
        )}
        {jobs > MAX_JOBS && <Alert color="red">At most {MAX_JOBS.toLocaleString("en")} jobs at once.</Alert>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button disabled={!ready || jobs > MAX_JOBS} loading={post.isPending} onClick={() => post.mutate()}>
            {ready ? `Post ${plural(jobs, "job")}` : "Post"}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function AxisRow({
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
          label="Values, parted by commas"
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
