// One entry of a mapping: its key, its value, and a button that removes it.
import { ActionIcon, Box, Group, TextInput, Tooltip } from "@mantine/core";
import { ADDITIONAL_PROPERTY_FLAG, type WrapIfAdditionalTemplateProps } from "@rjsf/utils";
import { IconTrash } from "@tabler/icons-react";

export function MappingEntry(props: WrapIfAdditionalTemplateProps) {
  const { id, classNames, style, label, schema, disabled, readonly, children } = props;
  if (!(ADDITIONAL_PROPERTY_FLAG in schema))
    return (
      <div className={classNames} style={style}>
        {children}
      </div>
    );
  const large = schema.type === "object" || schema.type === "array" || Boolean(schema.oneOf);
  return (
    <Group gap={6} wrap={large ? "wrap" : "nowrap"} align="flex-start" className={classNames} style={style}>
      <TextInput
        key={label}
        id={`${id}-key`}
        aria-label={`Key ${label}`}
        size="xs"
        style={{ flex: 1, minWidth: 0 }}
        defaultValue={label}
        disabled={disabled || readonly}
        onBlur={(event) => props.onKeyRename(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Enter confirms the key; with Ctrl the form is submitted with the new key.
          if (!event.ctrlKey && !event.metaKey) event.preventDefault();
          props.onKeyRename(event.currentTarget.value);
        }}
      />
      <Tooltip label="Remove">
        <ActionIcon
          aria-label={`Remove ${label}`}
          disabled={disabled || readonly}
          onClick={props.onRemoveProperty}
          style={{ order: large ? 0 : 2 }}
        >
          <IconTrash size={15} />
        </ActionIcon>
      </Tooltip>
      <Box style={{ flex: large ? "1 0 100%" : 1, minWidth: 0 }}>{children}</Box>
    </Group>
  );
}
