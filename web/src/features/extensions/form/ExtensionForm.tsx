// The form of an extension, generated from its JSON schema.
import { Alert, Fieldset, Group, Input, Stack, Text, Textarea } from "@mantine/core";
import { withTheme } from "@rjsf/core";
import { Theme } from "@rjsf/mantine";
import type {
  ErrorSchema,
  FieldErrorProps,
  FieldProps,
  FormContextType,
  MultiSchemaFieldTemplateProps,
  ObjectFieldTemplateProps,
  RJSFSchema,
} from "@rjsf/utils";
import { type Ref, useMemo, useState } from "react";
import type { NormalisedSchema } from "./normaliseSchema";
import { toRequestData } from "./requestData";
import { createValidator, validate } from "./schemaValidator";
import * as widgets from "./widgets";

function FieldError({ errors }: FieldErrorProps) {
  if (!errors?.length) return null;
  return (
    <Stack gap={0} mt={2} role="alert">
      {errors.map((error, at) => (
        <Input.Error key={at}>{error}</Input.Error>
      ))}
    </Stack>
  );
}

function ObjectFields({ title, description, properties, fieldPathId }: ObjectFieldTemplateProps) {
  const fields = (
    <Stack gap="sm">
      {properties
        .filter((one) => !one.hidden)
        .map((one) => (
          <div key={one.name}>{one.content}</div>
        ))}
    </Stack>
  );
  if (fieldPathId.path.length === 0) return fields;
  return (
    <Fieldset
      legend={title}
      p="sm"
      pt={6}
      styles={{ root: { background: "transparent" }, legend: { fontSize: 12, fontWeight: 600 } }}
    >
      {description && (
        <Text size="xs" c="dimmed" mb={6}>
          {description}
        </Text>
      )}
      {fields}
    </Fieldset>
  );
}

function OneOf({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <Stack gap={6}>
      {selector}
      {optionSchemaField}
    </Stack>
  );
}

/** A JSON text field for values whose schema the form cannot show. */
function JsonField({ formData, onChange, schema, fieldPathId, name }: FieldProps) {
  const [text, setText] = useState(() => (formData === undefined ? "" : JSON.stringify(formData, null, 2)));
  const [wrong, setWrong] = useState(false);
  return (
    <Textarea
      id={fieldPathId.$id}
      label={schema.title ?? name}
      description={schema.description ?? "as JSON"}
      size="xs"
      autosize
      minRows={2}
      maxRows={12}
      ff="monospace"
      error={wrong ? "This is no JSON." : undefined}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        try {
          const value = event.currentTarget.value.trim();
          onChange(value ? JSON.parse(value) : undefined, fieldPathId.path);
          setWrong(false);
        } catch {
          setWrong(true);
        }
      }}
    />
  );
}

const Form = withTheme<unknown, RJSFSchema, FormContextType>({
  ...Theme,
  fields: { ...Theme.fields, json: JsonField },
  templates: {
    ...Theme.templates,
    FieldErrorTemplate: FieldError,
    ObjectFieldTemplate: ObjectFields,
    MultiSchemaFieldTemplate: OneOf,
    ErrorListTemplate: () => null,
  },
  widgets: {
    ...Theme.widgets,
    number: widgets.NumberWidget,
    slider: widgets.SliderWidget,
    line: widgets.TextWidget,
    TextWidget: widgets.TextWidget,
    paragraph: widgets.TextareaWidget,
    password: widgets.PasswordWidget,
    CheckboxWidget: widgets.SwitchWidget,
    choice: widgets.SelectWidget,
    SelectWidget: Theme.widgets!.SelectWidget!,
    segmented: widgets.SegmentedWidget,
    choices: widgets.MultiSelectWidget,
    colour: widgets.ColourWidget,
    vector: widgets.VectorWidget,
    list: widgets.ListWidget,
    atoms: widgets.AtomsWidget,
    frameProperty: widgets.FramePropertyWidget,
  },
});

export interface FormHandle {
  submit: () => void;
}

export function ExtensionForm({
  room,
  formId,
  schema,
  shape,
  data,
  serverErrors,
  onChange,
  onSubmit,
  children,
}: {
  room: string;
  formId: string;
  /** The extension's own schema, used for validation. */
  schema: Record<string, unknown>;
  /** The normalised schema that the form shows. */
  shape: NormalisedSchema;
  data: unknown;
  serverErrors: Record<string, unknown>;
  onChange: (data: unknown) => void;
  onSubmit: (data: Record<string, unknown>) => void;
  children?: React.ReactNode;
  ref?: Ref<FormHandle>;
}) {
  const validator = useMemo(
    () => createValidator((given) => validate(schema, toRequestData(shape, given) ?? {})),
    [schema, shape],
  );
  const context = useMemo(() => ({ room }), [room]);
  const general = serverErrors.__errors as string[] | undefined;
  return (
    <Form
      id={formId}
      schema={shape.schema}
      uiSchema={{ ...shape.uiSchema, "ui:submitButtonOptions": { norender: true } }}
      validator={validator}
      formContext={context}
      formData={data}
      extraErrors={serverErrors as ErrorSchema}
      noHtml5Validate
      showErrorList={false}
      focusOnFirstError
      // Errors are shown at their fields; without a handler the library also writes them to the console.
      onError={() => undefined}
      onChange={({ formData }) => onChange(formData)}
      onSubmit={({ formData }) => onSubmit((toRequestData(shape, formData) ?? {}) as Record<string, unknown>)}
    >
      {general && (
        <Alert color="red" p="xs" mt="sm" role="alert">
          {general.join(" ")}
        </Alert>
      )}
      <Group>{children}</Group>
    </Form>
  );
}
