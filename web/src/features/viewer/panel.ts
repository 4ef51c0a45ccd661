import { IconAtom } from "@tabler/icons-react";
import type { RoomPanelDefinition } from "@/lib/room/panelDefinition";

export const panels: RoomPanelDefinition[] = [
  {
    kind: "panel",
    id: "viewer",
    title: "Viewer",
    icon: IconAtom,
    place: "center",
    order: 0,
    open: true,
    load: () => import("./ViewerPanel"),
  },
];
