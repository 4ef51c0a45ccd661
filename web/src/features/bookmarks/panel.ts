import { IconBookmark } from "@tabler/icons-react";
import type { RoomPiece } from "@/lib/panels";

export const pieces: RoomPiece[] = [
  {
    kind: "panel",
    id: "bookmarks",
    title: "Bookmarks",
    icon: IconBookmark,
    place: "right",
    order: 50,
    open: false,
    load: () => import("./BookmarksPanel"),
  },
];
