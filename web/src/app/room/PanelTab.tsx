import { Group } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { IDockviewPanelHeaderProps } from "dockview-react";
import { panels } from "@/app/room/panelRegistry";

export function PanelTab({ api }: IDockviewPanelHeaderProps) {
  const panel = panels.find((one) => one.id === api.id);
  const Icon = panel?.icon;
  return (
    <Group gap={6} wrap="nowrap" h="100%">
      {Icon && <Icon size={15} stroke={1.7} aria-hidden />}
      <span>{panel?.title ?? api.title}</span>
      {/* For the mouse only: a tab may hold nothing that can be focused. By keys, panels are closed in the menu "Panels". */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
      <span
        className="wr-close"
        title={`Close ${panel?.title}`}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation();
          api.close();
        }}
      >
        <IconX size={12} aria-hidden />
      </span>
    </Group>
  );
}
