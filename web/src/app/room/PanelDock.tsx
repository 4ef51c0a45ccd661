// The panel layout of the room page. The browser stores it, and all rooms share it.
import "dockview-react/dist/styles/dockview.css";
import "@/app/room/panelDock.css";
import {
  type DockviewApi,
  DockviewReact,
  type IDockviewPanelHeaderProps,
  type IDockviewPanelProps,
} from "dockview-react";
import { useEffect, useRef } from "react";
import { isPanel, PanelContent } from "@/app/room/PanelContent";
import { PanelTab } from "@/app/room/PanelTab";
import { NO_DOCK, usePanelDock } from "@/app/room/panelDockCommands";
import { panels, requestedPanel } from "@/app/room/panelRegistry";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";

const STORAGE_KEY = "workroom.layout.2";
const dockTheme = { name: "workroom", className: "wr-dock" };

function Panel({ api, params }: IDockviewPanelProps<RoomPanelProps>) {
  return <PanelContent id={api.id} room={params.room} />;
}

const contents = { panel: Panel };
const tabs = { plain: (props: IDockviewPanelHeaderProps<RoomPanelProps>) => <PanelTab {...props} /> };
const DIRECTIONS = { center: "right", left: "left", right: "right", bottom: "below" } as const;
type Place = keyof typeof DIRECTIONS;

/** On a dock that is not wide, one column beside the viewer holds the panels of both sides: two would leave the viewer less than
 * 55 % of the page. */
const ONE_COLUMN_PX = 1_290;
const COLUMN_SHARE = 0.2;
const [NARROWEST_PX, WIDEST_PX] = [270, 340];
const BOTTOM_PX = 260;

function placeOf(dock: DockviewApi, id: string): Place | undefined {
  const place = panels.find((panel) => panel.id === id)?.place;
  return place === "left" && dock.width < ONE_COLUMN_PX ? "right" : place;
}

function columnWidth(dock: DockviewApi): number {
  return Math.max(NARROWEST_PX, Math.min(WIDEST_PX, Math.round(dock.width * COLUMN_SHARE)));
}

function showPanel(dock: DockviewApi, id: string, room: string) {
  const known = dock.getPanel(id);
  if (known) return known.api.setActive();
  const panel = panels.find((one) => one.id === id);
  const place = placeOf(dock, id);
  if (!panel || !place) return;
  const neighbour = dock.panels.find((one) => placeOf(dock, one.id) === place);
  const middle = dock.panels.find((one) => placeOf(dock, one.id) === "center");
  const base = { id, component: "panel", tabComponent: "plain", title: panel.title, params: { room } };
  if (neighbour) dock.addPanel({ ...base, position: { referencePanel: neighbour.id, direction: "within" } });
  else if (place === "bottom" && middle)
    dock.addPanel({
      ...base,
      position: { referencePanel: middle.id, direction: "below" },
      initialHeight: BOTTOM_PX,
    });
  else if (dock.panels.length)
    dock.addPanel({
      ...base,
      position: { direction: DIRECTIONS[place] },
      initialWidth: place === "center" ? undefined : columnWidth(dock),
    });
  else dock.addPanel(base);
}

function resetLayout(dock: DockviewApi, room: string) {
  dock.clear();
  const places: Place[] = ["center", "left", "right", "bottom"];
  const first = panels
    .filter((panel) => panel.open)
    .sort((a, b) => places.indexOf(a.place) - places.indexOf(b.place));
  for (const panel of first) showPanel(dock, panel.id, room);
  // Each panel that is added shares the space evenly with the others; the sizes hold once all are there.
  for (const place of ["left", "right"] as const) {
    const column = dock.panels.find((panel) => placeOf(dock, panel.id) === place);
    column?.api.setSize({ width: columnWidth(dock) });
  }
  // The first panel of each place is in front, and the centre has the focus.
  for (const place of places.toReversed()) {
    const front = first.find((panel) => placeOf(dock, panel.id) === place);
    if (front) dock.getPanel(front.id)?.api.setActive();
  }
}

function restoreLayout(dock: DockviewApi, room: string): boolean {
  try {
    const saved = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null");
    if (!saved || !Object.keys(saved.panels).every(isPanel)) return false;
    for (const panel of Object.values(saved.panels) as { params?: unknown }[]) panel.params = { room };
    dock.fromJSON(saved);
    return dock.panels.length > 0;
  } catch {
    return false;
  }
}

export function PanelDock({ room }: RoomPanelProps) {
  const currentRoom = useRef(room);
  currentRoom.current = room;
  const layout = useRef<DockviewApi | null>(null);

  useEffect(() => {
    for (const panel of layout.current?.panels ?? []) panel.api.updateParameters({ room });
  }, [room]);
  useEffect(() => () => usePanelDock.setState(NO_DOCK), []);

  return (
    <DockviewReact
      components={contents}
      tabComponents={tabs}
      theme={dockTheme}
      onReady={({ api }) => {
        layout.current = api;
        if (!restoreLayout(api, currentRoom.current)) resetLayout(api, currentRoom.current);
        const opened = () => usePanelDock.setState({ open: api.panels.map((panel) => panel.id) });
        usePanelDock.setState({
          show: (id) => showPanel(api, id, currentRoom.current),
          toggle: (id) => {
            const panel = api.getPanel(id);
            if (panel) panel.api.close();
            else showPanel(api, id, currentRoom.current);
          },
          reset: () => {
            localStorage.removeItem(STORAGE_KEY);
            resetLayout(api, currentRoom.current);
          },
        });
        opened();
        const requested = requestedPanel();
        if (requested) showPanel(api, requested, currentRoom.current);
        api.onDidLayoutChange(() => {
          opened();
          if (api.panels.length) localStorage.setItem(STORAGE_KEY, JSON.stringify(api.toJSON()));
        });
      }}
    />
  );
}
