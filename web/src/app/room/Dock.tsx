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
import { create } from "zustand";
import { panels } from "@/app/pieces";
import { PanelTab } from "@/app/room/PanelTab";
import { ErrorNotice } from "@/components/ErrorNotice";
import type { RoomPieceProps } from "@/lib/panels";

const REMEMBERED = "workroom.layout.2";
const dockTheme = { name: "workroom", className: "wr-dock" };

/** The layout in use, for menus and shortcuts outside of it. */
export const useDock = create<{ dock: DockviewApi | null; open: string[] }>(() => ({ dock: null, open: [] }));

const loaded = Object.fromEntries(panels.map((panel) => [panel.id, lazy(panel.load)]));

function Panel({ api, params }: IDockviewPanelProps<RoomPieceProps>) {
  const Content = loaded[api.id];
  return (
    <ErrorNotice>
      <Suspense fallback={<Waiting />}>{Content && <Content room={params.room} />}</Suspense>
    </ErrorNotice>
  );
}

function Waiting() {
  return (
    <Center h="100%">
      <Loader size="sm" aria-label="Loading" />
    </Center>
  );
}

const contents = { panel: Panel };
const tabs = { plain: (props: IDockviewPanelHeaderProps) => <PanelTab {...props} /> };

export function openPanel(dock: DockviewApi, id: string, room: string) {
  const known = dock.getPanel(id);
  if (known) return known.api.setActive();
  const panel = panels.find((one) => one.id === id);
  if (!panel) return;
  const neighbour = dock.panels.find(
    (one) => panels.find((spec) => spec.id === one.id)?.place === panel.place,
  );
  const reference =
    neighbour ?? dock.panels.find((one) => panels.find((spec) => spec.id === one.id)?.place === "center");
  const direction = { center: "right", left: "left", right: "right", bottom: "below" } as const;
  dock.addPanel({
    id,
    component: "panel",
    tabComponent: "plain",
    title: panel.title,
    params: { room },
    ...(neighbour
      ? { position: { referencePanel: neighbour.id, direction: "within" } }
      : reference
        ? { position: { referencePanel: reference.id, direction: direction[panel.place] } }
        : {}),
    ...(neighbour || !reference
      ? {}
      : panel.place === "bottom"
        ? { initialHeight: 260 }
        : { initialWidth: panel.place === "left" ? 320 : 360 }),
  });
}

function fresh(dock: DockviewApi, room: string) {
  dock.clear();
  const places = ["center", "left", "right", "bottom"];
  const first = panels
    .filter((panel) => panel.open)
    .sort((a, b) => places.indexOf(a.place) - places.indexOf(b.place));
  for (const panel of first) openPanel(dock, panel.id, room);
  // The first of each place is in front.
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

export function resetLayout(room: string) {
  const { dock } = useDock.getState();
  localStorage.removeItem(REMEMBERED);
  if (dock) fresh(dock, room);
}

export function Dock({ room }: RoomPieceProps) {
  const here = useRef(room);
  here.current = room;

  useEffect(() => {
    const { dock } = useDock.getState();
    for (const panel of dock?.panels ?? []) panel.api.updateParameters({ room });
  }, [room]);

  useEffect(() => () => useDock.setState({ dock: null, open: [] }), []);

  return (
    <DockviewReact
      components={contents}
      tabComponents={tabs}
      theme={dockTheme}
      onReady={({ api }) => {
        useDock.setState({ dock: api });
        if (!remembered(api, here.current)) fresh(api, here.current);
        const note = () => useDock.setState({ open: api.panels.map((panel) => panel.id) });
        note();
        api.onDidLayoutChange(() => {
          note();
          if (api.panels.length) localStorage.setItem(REMEMBERED, JSON.stringify(api.toJSON()));
        });
      }}
    />
  );
}
