// The panel layout of the room page. The browser stores it, and all rooms share it.
import "dockview-react/dist/styles/dockview.css";
import "@/app/room/panelDock.css";
import { Center, Loader } from "@mantine/core";
import {
  type DockviewApi,
  DockviewReact,
  type IDockviewPanelHeaderProps,
  type IDockviewPanelProps,
} from "dockview-react";
import { lazy, Suspense, useEffect, useRef } from "react";
import { PanelTab } from "@/app/room/PanelTab";
import { NO_DOCK, usePanelDock } from "@/app/room/panelDockCommands";
import { panels } from "@/app/room/panelRegistry";
import { ErrorBoundary } from "@/components/ErrorBoundary";
import type { RoomPanelProps } from "@/lib/room/panelDefinition";

const STORAGE_KEY = "workroom.layout.1";
const dockTheme = { name: "workroom", className: "wr-dock" };
const panelComponents = Object.fromEntries(panels.map((panel) => [panel.id, lazy(panel.load)]));

function Panel({ api, params }: IDockviewPanelProps<RoomPanelProps>) {
  const Content = panelComponents[api.id];
  return (
    <ErrorBoundary>
      <Suspense
        fallback={
          <Center h="100%">
            <Loader size="sm" role="status" aria-label="Loading" />
          </Center>
        }
      >
        {Content && <Content room={params.room} />}
      </Suspense>
    </ErrorBoundary>
  );
}

const contents = { panel: Panel };
const tabs = { plain: (props: IDockviewPanelHeaderProps) => <PanelTab {...props} /> };
const placeOf = (id: string) => panels.find((panel) => panel.id === id)?.place;
const DIRECTIONS = { center: "right", left: "left", right: "right", bottom: "below" } as const;

function showPanel(dock: DockviewApi, id: string, room: string) {
  const known = dock.getPanel(id);
  if (known) return known.api.setActive();
  const panel = panels.find((one) => one.id === id);
  if (!panel) return;
  const neighbour = dock.panels.find((one) => placeOf(one.id) === panel.place);
  const middle = dock.panels.find((one) => placeOf(one.id) === "center");
  const base = { id, component: "panel", tabComponent: "plain", title: panel.title, params: { room } };
  if (neighbour) dock.addPanel({ ...base, position: { referencePanel: neighbour.id, direction: "within" } });
  else if (panel.place === "bottom" && middle)
    dock.addPanel({
      ...base,
      position: { referencePanel: middle.id, direction: "below" },
      initialHeight: 260,
    });
  else if (dock.panels.length)
    dock.addPanel({
      ...base,
      position: { direction: DIRECTIONS[panel.place] },
      initialWidth: panel.place === "center" ? undefined : 360,
    });
  else dock.addPanel(base);
}

function resetLayout(dock: DockviewApi, room: string) {
  dock.clear();
  const places = ["center", "left", "right", "bottom"];
  const first = panels
    .filter((panel) => panel.open)
    .sort((a, b) => places.indexOf(a.place) - places.indexOf(b.place));
  for (const panel of first) showPanel(dock, panel.id, room);
  // The first panel of each place is in front, and the centre has the focus.
  for (const place of places.toReversed()) {
    const front = first.find((panel) => panel.place === place);
    if (front) dock.getPanel(front.id)?.api.setActive();
  }
}

function restoreLayout(dock: DockviewApi, room: string): boolean {
  try {
    const saved = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null");
    if (!saved || !Object.keys(saved.panels).every((id) => id in panelComponents)) return false;
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
        api.onDidLayoutChange(() => {
          opened();
          if (api.panels.length) localStorage.setItem(STORAGE_KEY, JSON.stringify(api.toJSON()));
        });
      }}
    />
  );
}
