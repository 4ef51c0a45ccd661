import { IconBolt } from "@tabler/icons-react";
import type { RoomPanelDefinition } from "@/lib/room/panelDefinition";

export const panels: RoomPanelDefinition[] = [
  {
    kind: "panel",
    id: "jobs",
    title: "Jobs",
    icon: IconBolt,
    place: "right",
    order: 10,
    open: true,
    load: () => import("./JobsPanel"),
  },
];
