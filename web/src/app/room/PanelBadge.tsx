import type { PanelDefinition, RoomPanelProps } from "@/lib/room/panelDefinition";
import classes from "./PanelBadge.module.css";

/** How much is new in a panel that is not in front. */
export function PanelBadge({ panel, room }: RoomPanelProps & { panel: PanelDefinition }) {
  return panel.useUnread ? <Counter useUnread={panel.useUnread} room={room} /> : null;
}

function Counter({ useUnread, room }: RoomPanelProps & { useUnread: (room: string) => number }) {
  const unread = useUnread(room);
  if (unread === 0) return null;
  return (
    <span className={classes.badge} role="img" aria-label={`${unread} unread`}>
      {unread > 9 ? "9+" : unread}
    </span>
  );
}
