// The mouse and the keys of the viewer.
import { Kbd, Stack, Table, Text } from "@mantine/core";
import { VIEWER_SHORTCUTS } from "@/lib/room/viewerShortcuts";

export function HelpMenu() {
  return (
    <Stack gap="xs">
      <Text size="xs" c="dimmed">
        Drag to turn, right-drag to move, wheel to zoom, Alt-drag to roll. Click an atom to select it, with
        Shift to add; Shift-drag a box; double-click for its molecule. Two to four selected atoms are
        measured.
      </Text>
      <Table verticalSpacing={2} horizontalSpacing={4} fz="xs" withRowBorders={false}>
        <Table.Tbody>
          {VIEWER_SHORTCUTS.map(({ keys, does }) => (
            <Table.Tr key={keys}>
              <Table.Td style={{ whiteSpace: "nowrap" }}>
                {keys.split(" ").map((key) => (
                  <Kbd key={key} size="xs" mr={2}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
