import { IconBolt } from "@tabler/icons-react";
import type { RoomPiece } from "@/lib/panels";

export const pieces: RoomPiece[] = [
  {
    kind: "panel",
    id: "jobs",
    title: "Jobs",
    icon: IconBolt,
    place: "right",
    order: 10,
    open: true,
    load: () => import("./JobsPanel"),
  },
];
