import { IconAtom } from "@tabler/icons-react";
import type { RoomPiece } from "@/lib/panels";

export const pieces: RoomPiece[] = [
  {
    kind: "panel",
    id: "viewer",
    title: "Viewer",
    icon: IconAtom,
    place: "center",
    order: 0,
    open: true,
    load: () => import("./ViewerPanel"),
  },
];
