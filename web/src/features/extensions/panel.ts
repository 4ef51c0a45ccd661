import { IconPuzzle } from "@tabler/icons-react";
import type { RoomPanelDefinition } from "@/lib/room/panelDefinition";

export const panels: RoomPanelDefinition[] = [
  {
    kind: "panel",
    id: "extensions",
    title: "Extensions",
    icon: IconPuzzle,
    place: "left",
    order: 10,
    open: true,
    load: () => import("./ExtensionsPanel"),
  },
];
