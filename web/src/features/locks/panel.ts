import type { RoomPanelDefinition } from "@/lib/room/panelDefinition";

export const panels: RoomPanelDefinition[] = [
  { kind: "header", id: "locks", order: 10, load: () => import("./LockBadge") },
];
