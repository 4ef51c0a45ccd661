import { IconBookmark } from "@tabler/icons-react";
import type { RoomPanelDefinition } from "@/lib/room/panelDefinition";

export const panels: RoomPanelDefinition[] = [
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
