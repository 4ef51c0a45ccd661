import { IconAtom, IconShape } from "@tabler/icons-react";
import type { RoomPanelDefinition } from "@/lib/room/panelDefinition";

export const panels: RoomPanelDefinition[] = [
  {
    kind: "panel",
    id: "viewer",
    title: "Viewer",
    icon: IconAtom,
    place: "center",
    order: 0,
    open: true,
    load: () => import("./ViewerPanel"),
  },
  {
    kind: "panel",
    id: "geometries",
    title: "Geometries",
    icon: IconShape,
    place: "right",
    order: 55,
    open: false,
    load: () => import("./geometries/GeometriesPanel"),
  },
  { kind: "header", id: "movie", order: 5, load: () => import("./movie/MovieProgress") },
];
