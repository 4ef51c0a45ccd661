import { IconPuzzle } from "@tabler/icons-react";
import type { RoomPiece } from "@/lib/panels";

export const pieces: RoomPiece[] = [
  {
    kind: "panel",
    id: "extensions",
    title: "Extensions",
    icon: IconPuzzle,
    place: "left",
    order: 10,
    open: true,
    load: () => import("./ExtensionsPanel"),
  },
];
