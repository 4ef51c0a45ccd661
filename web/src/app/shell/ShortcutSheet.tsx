import { Kbd, Modal, Table, Title } from "@mantine/core";
import { create } from "zustand";
import { shortcutGroups } from "@/app/shell/useShortcuts";
import { SingleKeysSwitch } from "@/components/SingleKeysSwitch";

export const useShortcutSheet = create<{ shown: boolean; show: () => void; hide: () => void }>((set) => ({
  shown: false,
  show: () => set({ shown: true }),
  hide: () => set({ shown: false }),
}));

export function ShortcutSheet() {
  const { shown, hide } = useShortcutSheet();
  return (
    <Modal opened={shown} onClose={hide} title="Keyboard" size="md">
      <SingleKeysSwitch />
      {shortcutGroups().map(({ title, shortcuts }) => (
        <section key={title}>
          <Title order={4} mt="sm" mb={4}>
            {title}
          </Title>
          <Table withRowBorders={false} verticalSpacing={3}>
            <Table.Tbody>
              {shortcuts.map(({ keys, does }) => (
                <Table.Tr key={keys}>
                  <Table.Td w={140}>
                    {keys.split(" ").map((key) => (
                      <Kbd key={key} mr={4} size="xs">
                        {key}
                      </Kbd>
                    ))}
                  </Table.Td>
                  <Table.Td>{does}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      ))}
    </Modal>
  );
}
