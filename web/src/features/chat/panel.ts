import { IconMessageCircle } from "@tabler/icons-react";
import type { RoomPanelDefinition } from "@/lib/room/panelDefinition";

export const panels: RoomPanelDefinition[] = [
  {
    kind: "panel",
    id: "chat",
    title: "Chat",
    icon: IconMessageCircle,
    place: "right",
    order: 30,
    open: true,
    load: () => import("./ChatPanel"),
  },
];
