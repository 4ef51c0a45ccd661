import type { RoomPanelDefinition } from "@/lib/room/panelDefinition";

export const panels: RoomPanelDefinition[] = [
  { kind: "header", id: "add-file", order: 5, load: () => import("./AddFile") },
];
