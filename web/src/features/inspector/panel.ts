import { IconListDetails, IconTable } from "@tabler/icons-react";
import type { RoomPanelDefinition } from "@/lib/room/panelDefinition";

export const panels: RoomPanelDefinition[] = [
  {
    kind: "panel",
    id: "atoms",
    title: "Atoms",
    icon: IconTable,
    place: "bottom",
    order: 22,
    open: true,
    load: () => import("./AtomTablePanel"),
  },
  {
    kind: "panel",
    id: "frame",
    title: "Frame",
    icon: IconListDetails,
    place: "bottom",
    order: 24,
    open: true,
    load: () => import("./FramePanel"),
  },
];
