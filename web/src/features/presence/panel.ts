import type { RoomPiece } from "@/lib/panels";

export const pieces: RoomPiece[] = [
  { kind: "header", id: "presence", order: 20, load: () => import("./Presence") },
];
