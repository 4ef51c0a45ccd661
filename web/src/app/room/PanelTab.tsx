import { Group } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { IDockviewPanelHeaderProps } from "dockview-react";
import { useEffect, useRef } from "react";
import { PanelBadge } from "@/app/room/PanelBadge";
import { panels } from "@/app/room/panelRegistry";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";

export function PanelTab({ api, params }: IDockviewPanelHeaderProps<RoomPanelProps>) {
  const panel = panels.find((one) => one.id === api.id);
  const Icon = panel?.icon;
  const tab = useRef<HTMLDivElement>(null);

  // With many tabs the strip scrolls: the tab in front must be within it, also once it has its full size.
  useEffect(() => {
    const reveal = () => {
      if (api.isVisible)
        tab.current?.closest(".dv-tab")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    };
    const sizes = new ResizeObserver(reveal);
    sizes.observe(tab.current!);
    const fronts = api.onDidVisibilityChange(reveal);
    return () => {
      sizes.disconnect();
      fronts.dispose();
    };
  }, [api]);

  return (
    <Group gap={6} wrap="nowrap" h="100%" ref={tab}>
      {Icon && <Icon size={15} stroke={1.7} aria-hidden />}
      <span>{panel?.title ?? api.title}</span>
      {panel && <PanelBadge panel={panel} room={params.room} />}
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
