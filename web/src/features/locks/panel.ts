import type { RoomPiece } from "@/lib/panels";

export const pieces: RoomPiece[] = [
  { kind: "header", id: "locks", order: 10, load: () => import("./LockBadge") },
];
