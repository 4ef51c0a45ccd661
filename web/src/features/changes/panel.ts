import { IconHistory } from "@tabler/icons-react";
import type { RoomPiece } from "@/lib/panels";

export const pieces: RoomPiece[] = [
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
