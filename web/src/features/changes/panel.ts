import { IconHistory } from "@tabler/icons-react";
import type { RoomPanelDefinition } from "@/lib/room/panelDefinition";

export const panels: RoomPanelDefinition[] = [
  { kind: "header", id: "undo", order: 3, load: () => import("./UndoButtons") },
  {
    kind: "panel",
    id: "changes",
    title: "Changes",
    icon: IconHistory,
    place: "right",
    order: 40,
    open: true,
    load: () => import("./ChangesPanel"),
  },
];
