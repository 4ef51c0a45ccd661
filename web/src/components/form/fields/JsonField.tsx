import { Textarea } from "@mantine/core";
import type { FieldProps } from "@rjsf/utils";
import { useState } from "react";
import { type FormContext, useUnparsedText } from "../validation/unparsedText";

/** A JSON text field for values whose schema the form cannot show. */
export function JsonField({
  formData,
  onChange,
  schema,
  fieldPathId,
  name,
  rawErrors,
  required,
  registry,
}: FieldProps) {
  const [text, setText] = useState(() => (formData === undefined ? "" : JSON.stringify(formData, null, 2)));
  const [wrong, setWrong] = useState(false);
  useUnparsedText(registry.formContext as FormContext, fieldPathId.$id, wrong);
  return (
    <Textarea
      id={fieldPathId.$id}
      label={schema.title ?? name}
      description={schema.description ?? "as JSON"}
      withAsterisk={required && schema.default === undefined}
      size="xs"
      autosize
      minRows={2}
      maxRows={12}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      error={wrong ? "This is not JSON." : Boolean(rawErrors?.length)}
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
