// A field for a file: it is uploaded when it is chosen, and the value of the field is what the server answered.
import { ActionIcon, FileInput, Group, Loader } from "@mantine/core";
import type { FieldProps } from "@rjsf/utils";
import { IconPaperclip, IconX } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { Problem } from "@/lib/api/client";
import { bytes } from "@/lib/format";
import { fileRefusal, type InputFile, uploadInput } from "@/lib/room/inputFile";
import { type FormContext, useUnparsedText } from "../validation/unparsedText";

export function FileField(props: FieldProps) {
  const { formData, onChange, schema, fieldPathId, name, rawErrors, required, registry, disabled } = props;
  const context = registry.formContext as FormContext;
  const [upload, setUpload] = useState<{ of: File; error: string | null } | null>(null);
  const resetRef = useRef<() => void>(null);
  const uploading = upload !== null && upload.error === null;
  useUnparsedText(
    context,
    fieldPathId.$id,
    upload !== null,
    uploading ? "wait until the file is uploaded." : "choose another file, or remove this one.",
  );
  const stored = formData as InputFile | undefined;
  const label = schema.title ?? name;
  const limits = {
    suffixes: (schema.suffixes as string[] | undefined) ?? [],
    maxBytes: schema.maxBytes as number | undefined,
  };

  async function choose(file: File | null) {
    if (!file) return clear();
    const refusal = fileRefusal(file, limits);
    setUpload({ of: file, error: refusal });
    if (refusal) return;
    try {
      const value = await uploadInput(context.room, file);
      onChange(value, fieldPathId.path);
      setUpload(null);
    } catch (error) {
      const message = error instanceof Problem ? error.message : "The upload failed. Choose the file again.";
      setUpload({ of: file, error: message });
    }
  }

  function clear() {
    setUpload(null);
    onChange(undefined, fieldPathId.path);
  }

  const shown = upload?.of ?? (stored && new File([], stored.name));
  const size = upload?.of.size ?? stored?.size;
  const accepted = [
    limits.suffixes.join(", "),
    limits.maxBytes === undefined ? "" : `at most ${bytes(limits.maxBytes)}`,
  ].filter(Boolean);
  return (
    <Group gap={6} align="flex-end" wrap="nowrap">
      <FileInput
        style={{ flex: 1, minWidth: 0 }}
        id={fieldPathId.$id}
        label={label}
        description={schema.description}
        withAsterisk={required}
        size="xs"
        accept={limits.suffixes.length ? limits.suffixes.join(",") : undefined}
        placeholder={["Choose a file", ...accepted].join(", ")}
        leftSection={uploading ? <Loader size={14} aria-label="Uploading" /> : <IconPaperclip size={14} />}
        value={shown ?? null}
        valueComponent={() => (shown ? `${shown.name} (${bytes(size ?? 0)})` : null)}
        error={upload?.error ?? Boolean(rawErrors?.length)}
        disabled={disabled || uploading}
        resetRef={resetRef}
        onChange={(file) => {
          void choose(file);
          resetRef.current?.(); // so that a corrected file of the same name can be chosen
        }}
      />
      {shown && !uploading && (
        <ActionIcon size="md" aria-label={`Remove the file of ${label}`} onClick={clear}>
          <IconX size={14} />
        </ActionIcon>
      )}
    </Group>
  );
}
