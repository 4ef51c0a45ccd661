import { IconChartDots, IconChartLine } from "@tabler/icons-react";
import type { RoomPanelDefinition } from "@/lib/room/panelDefinition";

export const panels: RoomPanelDefinition[] = [
  {
    kind: "panel",
    id: "figures",
    title: "Figures",
    icon: IconChartLine,
    place: "bottom",
    order: 20,
    open: true,
    load: () => import("./FiguresPanel"),
  },
  {
    kind: "panel",
    id: "map",
    title: "Map",
    icon: IconChartDots,
    place: "bottom",
    order: 26,
    open: false,
    load: () => import("./StructureMapPanel"),
  },
];
