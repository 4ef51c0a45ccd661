import { ActionIcon, Group } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { IDockviewPanelHeaderProps } from "dockview-react";
import { panels } from "@/app/pieces";

export function PanelTab({ api }: IDockviewPanelHeaderProps) {
  const panel = panels.find((one) => one.id === api.id);
  const Icon = panel?.icon;
  return (
    <Group gap={6} wrap="nowrap" h="100%">
      {Icon && <Icon size={15} stroke={1.7} aria-hidden />}
      <span>{panel?.title ?? api.title}</span>
      <ActionIcon
        size={18}
        aria-label={`Close ${panel?.title}`}
        onClick={(event) => {
          event.stopPropagation();
          api.close();
        }}
      >
        <IconX size={12} />
      </ActionIcon>
    </Group>
  );
}
