import { IconMessageCircle } from "@tabler/icons-react";
import type { RoomPanelDefinition } from "@/lib/room/panelDefinition";
import { useUnreadMessages } from "./unread";

export const panels: RoomPanelDefinition[] = [
  {
    kind: "panel",
    id: "chat",
    title: "Chat",
    icon: IconMessageCircle,
    place: "right",
    order: 30,
    open: true,
    useUnread: useUnreadMessages,
    load: () => import("./ChatPanel"),
  },
];
