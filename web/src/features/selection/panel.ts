import { IconLassoPolygon } from "@tabler/icons-react";
import type { RoomPanelDefinition } from "@/lib/room/panelDefinition";

export const panels: RoomPanelDefinition[] = [
  {
    kind: "panel",
    id: "selection",
    title: "Selections",
    icon: IconLassoPolygon,
    place: "right",
    order: 60,
    open: false,
    load: () => import("./SelectionPanel"),
  },
];
