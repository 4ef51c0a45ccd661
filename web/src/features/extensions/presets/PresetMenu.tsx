// Values to start from: the examples of the class, and what people of the room have saved.
import { ActionIcon, Button, Group, Menu, Modal, Stack, Text, TextInput } from "@mantine/core";
import { IconBookmark, IconDeviceFloppy, IconFlask, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { Schemas } from "@/lib/api/client";
import { useSession } from "@/lib/api/session";
import { exampleTitle } from "./exampleTitle";
import { usePresets } from "./usePresets";

type Values = Record<string, unknown>;

export function PresetMenu({
  room,
  extension,
  rights,
  present,
  apply,
}: {
  room: string;
  extension: Schemas["ExtensionInfo"];
  rights: string | undefined;
  /** The values that *Save* stores; null while a text is no value. */
  present: () => Values | null;
  apply: (values: Values) => void;
}) {
  const { list, save, remove } = usePresets(room, extension);
  const [saving, setSaving] = useState<Values | null>(null);
  const userId = useSession((session) => session.user?.id);
  const schema = extension.schema as { examples?: unknown };
  const examples = (Array.isArray(schema.examples) ? schema.examples : []).filter(
    (one): one is Values => typeof one === "object" && one !== null && !Array.isArray(one),
  );
  const saved = list.data?.items ?? [];
  const readOnly = rights === "read";
  if (readOnly && !examples.length && !saved.length) return null;
  return (
    <>
      <Menu position="bottom-start" width={280}>
        <Menu.Target>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconBookmark size={13} />}
            style={{ alignSelf: "flex-start" }}
          >
            Presets
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={360} style={{ overflowY: "auto" }}>
          {examples.length > 0 && <Menu.Label>Examples</Menu.Label>}
          {examples.map((example, at) => (
            <Menu.Item
              key={at}
              leftSection={<IconFlask size={14} />}
              onClick={() => apply(example)}
              style={{ overflowWrap: "anywhere" }}
            >
              {exampleTitle(example)}
            </Menu.Item>
          ))}
          {saved.length > 0 && <Menu.Label>Saved in this room</Menu.Label>}
          {saved.map((preset) => (
            <Group key={preset.name} gap={2} wrap="nowrap">
              <Menu.Item flex={1} miw={0} onClick={() => apply(preset.data)}>
                <Text size="sm" truncate>
                  {preset.name}
                </Text>
                <Text size="xs" c="dimmed" truncate>
                  {preset.user ?? "deleted account"}
                </Text>
              </Menu.Item>
              {(preset.userId === userId || rights === "own") && (
                <ActionIcon
                  aria-label={`Delete the preset ${preset.name}`}
                  onClick={() => remove.mutate(preset.name)}
                >
                  <IconTrash size={14} />
                </ActionIcon>
              )}
            </Group>
          ))}
          {!readOnly && (
            <>
              {(examples.length > 0 || saved.length > 0) && <Menu.Divider />}
              <Menu.Item leftSection={<IconDeviceFloppy size={15} />} onClick={() => setSaving(present())}>
                Save these values
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {saving && (
        <SaveModal
          known={saved.map((one) => one.name)}
          close={() => setSaving(null)}
          save={(name) => save.mutate({ name, data: saving }, { onSuccess: () => setSaving(null) })}
          busy={save.isPending}
        />
      )}
    </>
  );
}

function SaveModal(props: {
  known: string[];
  busy: boolean;
  close: () => void;
  save: (name: string) => void;
}) {
  const [name, setName] = useState("");
  const wanted = name.trim();
  return (
    <Modal opened onClose={props.close} title="Save these values" size="sm">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted) props.save(wanted);
        }}
      >
        <Stack gap="sm">
          <TextInput
            data-autofocus
            label="Name of the preset"
            description={
              props.known.includes(wanted)
                ? "Replaces the preset of this name."
                : "All people of the room see it. Secrets are left out."
            }
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" disabled={!wanted} loading={props.busy}>
            Save
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
