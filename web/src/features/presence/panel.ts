import type { RoomPanelDefinition } from "@/lib/room/panelDefinition";

export const panels: RoomPanelDefinition[] = [
  { kind: "header", id: "presence", order: 20, load: () => import("./Presence") },
];
