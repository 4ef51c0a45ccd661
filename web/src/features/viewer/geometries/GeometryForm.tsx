// The form of one geometry, made from the schema of its type.
import { Button, Group, Stack, TextInput } from "@mantine/core";
import type { ErrorSchema } from "@rjsf/utils";
import { useMemo, useState } from "react";
import { ExtensionForm } from "@/components/form/ExtensionForm";
import { fittingValues, withDefaults } from "@/components/form/formValues";
import { normaliseSchema } from "@/components/form/normalise/normaliseSchema";
import { placeFaults, serverFaults } from "@/components/form/validation/placeFaults";
import { UnparsedFields } from "@/components/form/validation/unparsedText";
import { Problem } from "@/lib/api/client";
import { notifyError } from "@/lib/notifications";
import { keyRefusal } from "../edit/pointGeometry";
import type { Geometry } from "../scene/splitGeometries";
import { editableSchema, editableValues, edited } from "./editableFields";
import { usePutGeometry } from "./useGeometries";

interface GeometryFormProps {
  room: string;
  name: string;
  geometry: Geometry;
  /** Of a new geometry: the names that the room has. Its name can be chosen, too. */
  taken?: readonly string[];
  /** The schema of its type. */
  whole: Record<string, unknown>;
  close: () => void;
}

export function GeometryForm({ room, name, taken, geometry, whole, close }: GeometryFormProps) {
  const schema = useMemo(() => editableSchema(whole), [whole]);
  const shape = useMemo(() => normaliseSchema(schema), [schema]);
  const [data, setData] = useState<unknown>(() =>
    withDefaults(schema, shape, fittingValues(schema, shape, editableValues(schema, geometry))),
  );
  const [unparsed] = useState(() => new UnparsedFields());
  const [serverErrors, setServerErrors] = useState<ErrorSchema>({});
  const put = usePutGeometry(room, true);
  const [key, setKey] = useState(name);
  const refusal = taken ? keyRefusal(key, taken) : null;
  const formId = `geometry-${name}`;
  const save = (values: Record<string, unknown>) => {
    if (refusal) return;
    put.mutate(
      { key, geometry: edited(schema, geometry, values) },
      {
        onSuccess: close,
        onError: (error) => {
          if (error instanceof Problem && error.fieldErrors.length)
            setServerErrors(placeFaults(shape, serverFaults(error.fieldErrors)));
          else notifyError(error, `${key} was not saved`);
        },
      },
    );
  };
  return (
    <Stack gap="sm" p="xs">
      {taken && (
        <TextInput
          label="Name"
          value={key}
          error={refusal}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
      )}
      <ExtensionForm
        room={room}
        formId={formId}
        extension={null}
        schema={schema}
        shape={shape}
        data={data}
        unparsed={unparsed}
        serverErrors={serverErrors}
        onChange={(next) => {
          setData(next);
          setServerErrors({});
        }}
        onSubmit={save}
      />
      <Group gap="xs">
        <Button type="submit" form={formId} loading={put.isPending}>
          {taken ? "Add" : "Save"}
        </Button>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
}
