import { IconLassoPolygon } from "@tabler/icons-react";
import type { RoomPiece } from "@/lib/panels";

export const pieces: RoomPiece[] = [
  {
    kind: "panel",
    id: "selection",
    title: "Selections",
    icon: IconLassoPolygon,
    place: "right",
    order: 60,
    open: false,
    load: () => import("./SelectionPanel"),
  },
];
