// The panels of the room page on a narrow screen: one at a time, chosen in a bar at the bottom.
import { UnstyledButton } from "@mantine/core";
import { useEffect, useState } from "react";
import { PanelBadge } from "@/app/room/PanelBadge";
import { PanelContent } from "@/app/room/PanelContent";
import { NO_DOCK, usePanelDock } from "@/app/room/panelDockCommands";
import { panels, requestedPanel } from "@/app/room/panelRegistry";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";
import classes from "./PanelStack.module.css";

export function usePanelStack() {
  const [active, setActive] = useState(() => requestedPanel() ?? panels[0]!.id);
  /** Panels that were shown before stay mounted: the viewer keeps its camera, a form its values. */
  const [mounted, setMounted] = useState<readonly string[]>([active]);
  useEffect(() => {
    const show = (id: string) => {
      setActive(id);
      setMounted((now) => (now.includes(id) ? now : [...now, id]));
    };
    usePanelDock.setState({ show, toggle: show, reset: () => show(panels[0]!.id) });
    return () => usePanelDock.setState(NO_DOCK);
  }, []);
  useEffect(() => usePanelDock.setState({ open: [active] }), [active]);
  return { active, mounted };
}

export function PanelStack({ room, active, mounted }: RoomPanelProps & ReturnType<typeof usePanelStack>) {
  return (
    <div className={classes.stack}>
      {panels
        .filter(({ id }) => mounted.includes(id))
        .map(({ id, title }) => (
          <section key={id} className={classes.panel} aria-label={title} hidden={id !== active}>
            <PanelContent id={id} room={room} />
          </section>
        ))}
    </div>
  );
}

export function PanelBar({ room, active }: RoomPanelProps & { active: string }) {
  const show = usePanelDock((dock) => dock.show);
  return (
    <nav className={classes.bar} aria-label="Panels">
      {panels.map((panel) => {
        const { id, title, icon: Icon } = panel;
        return (
          <UnstyledButton
            key={id}
            className={classes.item}
            data-here={id === active || undefined}
            aria-current={id === active ? "page" : undefined}
            onClick={() => show(id)}
          >
            <span className={classes.icon}>
              <Icon size={20} stroke={1.6} aria-hidden />
              <PanelBadge panel={panel} room={room} />
            </span>
            {title}
          </UnstyledButton>
        );
      })}
    </nav>
  );
}
