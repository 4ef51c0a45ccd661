// Dialog that turns form fields into ranges: every combination becomes one job of one posting.
import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { CodeBlock } from "@/components/CodeBlock";
import type { NormalisedSchema } from "@/components/form/normalise/schemaNode";
import { api, type Schemas } from "@/lib/api/client";
import { plural } from "@/lib/format";
import { sweepSnippet } from "@/lib/jobs/pythonSnippet";
import { serverUrl } from "@/lib/rootPath";
import { AxisRow } from "./AxisRow";
import { type AxisDraft, axisFor, valueAt, valuesOfAxis } from "./axisDraft";
import { sweepFields } from "./sweepFields";

const MAX_JOBS = 10_000;

const MAX_AXES = 4;

export default function SweepModal({
  room,
  extension,
  shape,
  data,
  shownData,
  close,
}: {
  room: string;
  extension: Schemas["ExtensionInfo"];
  shape: NormalisedSchema;
  data: Record<string, unknown>;
  /** The data without its secrets. */
  shownData: Record<string, unknown>;
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
    mutationFn: async () =>
      (
        await api.POST("/api/rooms/{room}/extensions/{category}/{name}/sweep", {
          params: { path: { room, category: extension.category, name: extension.name } },
          body: {
            data,
            over: Object.fromEntries(axes.map((axis, at) => [axis.field.path.join("."), values[at] ?? []])),
            label: axes.map((axis) => axis.field.path.join(".")).join(" × "),
            scope: extension.scope,
          },
        })
      ).data!,
    onSuccess: ({ postingId }) => {
      close();
      void navigate({ to: "/postings/$posting", params: { posting: postingId } });
    },
  });

  return (
    <Modal opened onClose={close} title={`Sweep ${extension.name}`} size="lg" centered>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Every combination becomes one job; the other values come from the form. The jobs share the queue
          with all other jobs.
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
        {!fields.length && <Alert color="gray">{extension.name} has no field that can be swept.</Alert>}
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
              {
                room,
                url: serverUrl,
                category: extension.category,
                name: extension.name,
                data: shownData,
              },
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
