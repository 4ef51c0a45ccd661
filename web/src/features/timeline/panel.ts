import type { RoomPanelDefinition } from "@/lib/room/panelDefinition";

export const panels: RoomPanelDefinition[] = [
  { kind: "footer", id: "timeline", order: 0, load: () => import("./Timeline") },
];
