// The card of an editing tool, at the upper left of the stage.
import { CloseButton, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { setTool } from "./editStore";

export function EditCard(props: { title: string; blocked: string | null; children: ReactNode }) {
  const { title, blocked, children } = props;
  return (
    <section className="wr-viewer-edit" aria-label={title}>
      <Stack gap={6}>
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" fw={600}>
            {title}
          </Text>
          <CloseButton size="xs" aria-label="Close the tool (Esc)" onClick={() => setTool(null)} />
        </Group>
        {blocked ? (
          <Text size="xs" role="status">
            {blocked}
          </Text>
        ) : (
          children
        )}
      </Stack>
    </section>
  );
}
