// The panels of a room. Where they stand is remembered in this browser, for all rooms alike.
import "dockview-react/dist/styles/dockview.css";
import "@/app/room/dock.css";
import { Center, Loader } from "@mantine/core";
import {
  type DockviewApi,
  DockviewReact,
  type IDockviewPanelHeaderProps,
  type IDockviewPanelProps,
} from "dockview-react";
import { lazy, Suspense, useEffect, useRef } from "react";
import { panels } from "@/app/pieces";
import { noDock, useDockState } from "@/app/room/dockState";
import { PanelTab } from "@/app/room/PanelTab";
import { ErrorNotice } from "@/components/ErrorNotice";
import type { RoomPieceProps } from "@/lib/panels";

const REMEMBERED = "workroom.layout.1";
const dockTheme = { name: "workroom", className: "wr-dock" };
const loaded = Object.fromEntries(panels.map((panel) => [panel.id, lazy(panel.load)]));

function Panel({ api, params }: IDockviewPanelProps<RoomPieceProps>) {
  const Content = loaded[api.id];
  return (
    <ErrorNotice>
      <Suspense
        fallback={
          <Center h="100%">
            <Loader size="sm" role="status" aria-label="Loading" />
          </Center>
        }
      >
        {Content && <Content room={params.room} />}
      </Suspense>
    </ErrorNotice>
  );
}

const contents = { panel: Panel };
const tabs = { plain: (props: IDockviewPanelHeaderProps) => <PanelTab {...props} /> };
const placeOf = (id: string) => panels.find((panel) => panel.id === id)?.place;
const DIRECTIONS = { center: "right", left: "left", right: "right", bottom: "below" } as const;

function show(dock: DockviewApi, id: string, room: string) {
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

function fresh(dock: DockviewApi, room: string) {
  dock.clear();
  const places = ["center", "left", "right", "bottom"];
  const first = panels
    .filter((panel) => panel.open)
    .sort((a, b) => places.indexOf(a.place) - places.indexOf(b.place));
  for (const panel of first) show(dock, panel.id, room);
  // The first of each place is in front, and the middle has the focus.
  for (const place of places.toReversed()) {
    const front = first.find((panel) => panel.place === place);
    if (front) dock.getPanel(front.id)?.api.setActive();
  }
}

function remembered(dock: DockviewApi, room: string): boolean {
  try {
    const kept = JSON.parse(localStorage.getItem(REMEMBERED) ?? "null");
    if (!kept || !Object.keys(kept.panels).every((id) => id in loaded)) return false;
    for (const panel of Object.values(kept.panels) as { params?: unknown }[]) panel.params = { room };
    dock.fromJSON(kept);
    return dock.panels.length > 0;
  } catch {
    return false;
  }
}

export function Dock({ room }: RoomPieceProps) {
  const here = useRef(room);
  here.current = room;
  const layout = useRef<DockviewApi | null>(null);

  useEffect(() => {
    for (const panel of layout.current?.panels ?? []) panel.api.updateParameters({ room });
  }, [room]);
  useEffect(() => () => useDockState.setState(noDock), []);

  return (
    <DockviewReact
      components={contents}
      tabComponents={tabs}
      theme={dockTheme}
      onReady={({ api }) => {
        layout.current = api;
        if (!remembered(api, here.current)) fresh(api, here.current);
        const opened = () => useDockState.setState({ open: api.panels.map((panel) => panel.id) });
        useDockState.setState({
          show: (id) => show(api, id, here.current),
          toggle: (id) => {
            const panel = api.getPanel(id);
            if (panel) panel.api.close();
            else show(api, id, here.current);
          },
          reset: () => {
            localStorage.removeItem(REMEMBERED);
            fresh(api, here.current);
          },
        });
        opened();
        api.onDidLayoutChange(() => {
          opened();
          if (api.panels.length) localStorage.setItem(REMEMBERED, JSON.stringify(api.toJSON()));
        });
      }}
    />
  );
}
