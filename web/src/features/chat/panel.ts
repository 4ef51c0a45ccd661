import { IconMessageCircle } from "@tabler/icons-react";
import type { RoomPiece } from "@/lib/panels";

export const pieces: RoomPiece[] = [
  {
    kind: "panel",
    id: "chat",
    title: "Chat",
    icon: IconMessageCircle,
    place: "right",
    order: 30,
    open: true,
    load: () => import("./ChatPanel"),
  },
];
