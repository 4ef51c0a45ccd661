import type { RoomPiece } from "@/lib/panels";

export const pieces: RoomPiece[] = [
  { kind: "footer", id: "timeline", order: 0, load: () => import("./Timeline") },
];
