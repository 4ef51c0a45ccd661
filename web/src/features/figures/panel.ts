import { IconChartLine } from "@tabler/icons-react";
import type { RoomPiece } from "@/lib/panels";

export const pieces: RoomPiece[] = [
  {
    kind: "panel",
    id: "figures",
    title: "Figures",
    icon: IconChartLine,
    place: "bottom",
    order: 20,
    open: true,
    load: () => import("./FiguresPanel"),
  },
];
