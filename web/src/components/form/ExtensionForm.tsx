// The form of an extension, generated from its JSON schema.
import { Alert, Button, Fieldset, Input, Stack, Text } from "@mantine/core";
import { withTheme } from "@rjsf/core";
import { Theme } from "@rjsf/mantine";
import {
  canExpand,
  type ErrorSchema,
  type FieldErrorProps,
  type FormContextType,
  type MultiSchemaFieldTemplateProps,
  type ObjectFieldTemplateProps,
  type RJSFSchema,
} from "@rjsf/utils";
import { IconPlus } from "@tabler/icons-react";
import { useEffect, useMemo } from "react";
import { hasConditions, withConditionsMet } from "./conditions";
import { FileField } from "./fields/FileField";
import { JsonField } from "./fields/JsonField";
import { MappingEntry } from "./fields/MappingEntry";
import { RemoteChoicesField } from "./fields/RemoteChoicesField";
import { StepFields } from "./fields/StepFields";
import type { NormalisedSchema } from "./normalise/schemaNode";
import { toRequestData } from "./requestData";
import { useStepper } from "./useStepper";
import { createValidator } from "./validation/schemaValidator";
import type { FormContext, UnparsedFields } from "./validation/unparsedText";
import * as widgets from "./widgets";

/** A long form may be scrolled: a fault that no field shows must be seen when it appears. */
const scrollTo = (alert: HTMLElement | null) => alert?.scrollIntoView({ block: "center" });

function FieldError({ errors, fieldPathId }: FieldErrorProps) {
  if (!errors?.length) return null;
  if (fieldPathId.path.length === 0)
    return (
      <Alert color="red" p="xs" mt="sm" role="alert" ref={scrollTo}>
        {errors.map((error, at) => (
          <div key={at}>{error}</div>
        ))}
      </Alert>
    );
  return (
    <Stack gap={0} mt={2} role="alert">
      {errors.map((error, at) => (
        <Input.Error key={at}>{error}</Input.Error>
      ))}
    </Stack>
  );
}

function ObjectFields(props: ObjectFieldTemplateProps) {
  const { title, description, properties, fieldPathId, schema, uiSchema, formData, onAddProperty, registry } =
    props;
  const fields = (
    <Stack gap="sm">
      {properties
        .filter((one) => !one.hidden)
        .map((one) => (
          <div key={one.name}>{one.content}</div>
        ))}
      {canExpand(schema, uiSchema, formData) && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={onAddProperty}
          style={{ alignSelf: "flex-start" }}
        >
          Add a key
        </Button>
      )}
    </Stack>
  );
  const { stepper } = registry.formContext as FormContext;
  if (fieldPathId.path.length === 0)
    return stepper ? <StepFields properties={properties} stepper={stepper} /> : fields;
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

const Form = withTheme<unknown, RJSFSchema, FormContextType>({
  ...Theme,
  fields: { ...Theme.fields, json: JsonField, file: FileField, asked: RemoteChoicesField },
  templates: {
    ...Theme.templates,
    FieldErrorTemplate: FieldError,
    ObjectFieldTemplate: ObjectFields,
    MultiSchemaFieldTemplate: OneOf,
    WrapIfAdditionalTemplate: MappingEntry,
    ErrorListTemplate: () => null,
  },
  widgets: {
    ...Theme.widgets,
    number: widgets.NumberWidget,
    slider: widgets.SliderWidget,
    line: widgets.TextWidget,
    TextWidget: widgets.TextWidget,
    suggestions: widgets.SuggestionsWidget,
    paragraph: widgets.TextareaWidget,
    time: widgets.TimeWidget,
    password: widgets.PasswordWidget,
    CheckboxWidget: widgets.SwitchWidget,
    optionalBoolean: widgets.OptionalBooleanWidget,
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

/** The schema of the fields that are shown with these values; the same one until a condition changes. */
function useShownSchema({ schema }: NormalisedSchema, data: unknown): RJSFSchema {
  const changes = useMemo(() => hasConditions(schema), [schema]);
  const text = changes ? JSON.stringify(withConditionsMet(schema, data)) : null;
  return useMemo(() => (text === null ? schema : JSON.parse(text)), [schema, text]);
}

export function ExtensionForm({
  room,
  formId,
  extension,
  schema,
  shape,
  data,
  unparsed,
  serverErrors,
  onChange,
  onSubmit,
  onUnparsed,
}: {
  room: string;
  formId: string;
  extension: FormContext["extension"];
  /** The extension's own schema, used for validation. */
  schema: Record<string, unknown>;
  /** The normalised schema that the form shows. */
  shape: NormalisedSchema;
  data: unknown;
  unparsed: UnparsedFields;
  serverErrors: ErrorSchema;
  onChange: (data: unknown) => void;
  onSubmit: (data: Record<string, unknown>) => void;
  /** Hears which field keeps the form from being submitted, because its text is no value yet. */
  onUnparsed?: (text: string) => void;
}) {
  const validator = useMemo(() => createValidator(schema, shape), [schema, shape]);
  const asks = useMemo(() => JSON.stringify(shape.uiSchema).includes('"asked"'), [shape]);
  const values = asks ? data : undefined; // other forms need not be drawn again with each letter
  const shown = useShownSchema(shape, data);
  const { stepper, lead, reveal } = useStepper(shape, serverErrors);
  useEffect(() => {
    unparsed.reveal = reveal;
  }, [unparsed, reveal]);
  const context = useMemo(
    (): FormContext => ({ room, unparsed, extension, data: values, stepper }),
    [room, unparsed, extension, values, stepper],
  );
  return (
    <Form
      id={formId}
      schema={shown}
      uiSchema={{ ...shape.uiSchema, "ui:submitButtonOptions": { norender: true } }}
      validator={validator}
      formContext={context}
      formData={data}
      extraErrors={serverErrors}
      noHtml5Validate
      showErrorList={false}
      focusOnFirstError
      // Errors are shown at their fields; without a handler the library also writes them to the console.
      onError={() => lead(validator.validateFormData(data, shape.schema).errorSchema)}
      onChange={({ formData }) => onChange(formData)}
      onSubmit={({ formData }) => {
        const text = unparsed.focusFirst();
        if (text !== null) onUnparsed?.(text);
        else onSubmit((toRequestData(shape, formData) ?? {}) as Record<string, unknown>);
      }}
    />
  );
}
