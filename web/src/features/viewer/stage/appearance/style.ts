/** How atoms are drawn: the style is set in the viewer and stored in this browser. */

import { AUTOMATIC_MAP } from "@/lib/atoms/colourmaps";
import type { OpacityBy } from "./opacity";
import { DEFAULT_LOOK, type Look, type RoomMaterial } from "./sceneLook";

export type Representation = "ball-and-stick" | "space-filling" | "sticks" | "balls";

/** What is shown of the data of a room. Frames of another room have other values: it is kept for each user and room. */
export interface ShownData {
  /** A key of the frame; null colours by element. */
  readonly colourBy: string | null;
  /** The name of a map; `AUTOMATIC_MAP` takes one that fits the values. */
  readonly colourMap: string;
  /** Null uses the range of the shown values. */
  readonly range: { readonly min: number; readonly max: number } | null;
  /** Which atoms are translucent, by the value that colours them; null for none. */
  readonly opacityBy: OpacityBy | null;
  readonly vectors: string | null;
  readonly vectorScale: number;
  /** What is written at the atoms: "index", "element" or a key of the frame; null for nothing. */
  readonly labels: string | null;
  /** How often the structure is drawn along each vector of the cell. */
  readonly replicas: readonly [number, number, number];
  /** Atoms are drawn within the periodic cell, wherever the frame has them. */
  readonly wrapped: boolean;
}

export interface Style extends Look, ShownData {
  readonly representation: Representation;
  /** Atoms closer than this times the sum of their covalent radii are bonded; null uses the room's value. */
  readonly tolerance: number | null;
  readonly atomScale: number;
  readonly bonds: boolean;
  readonly cell: boolean;
  /** Measure to the nearest periodic images. */
  readonly nearestImages: boolean;
  /** Bonds between two metal atoms: most chemists draw none. */
  readonly metalBonds: boolean;
  /** Translucent polyhedra of the anions around cations. */
  readonly polyhedra: boolean;
}

export const DEFAULT_SHOWN_DATA: ShownData = {
  colourBy: null,
  colourMap: AUTOMATIC_MAP,
  range: null,
  opacityBy: null,
  vectors: null,
  vectorScale: 1,
  labels: null,
  replicas: [1, 1, 1],
  wrapped: false,
};

export const DEFAULT_STYLE: Style = {
  ...DEFAULT_LOOK,
  ...DEFAULT_SHOWN_DATA,
  representation: "ball-and-stick",
  tolerance: null,
  atomScale: 1,
  bonds: true,
  cell: true,
  nearestImages: true,
  metalBonds: false,
  polyhedra: false,
};

/** The appearance that the room sets for all its users. */
export interface RoomAppearance {
  readonly atoms: boolean;
  readonly bonds: boolean;
  readonly cell: boolean;
  readonly scale: number;
  /** One radius for all atoms, van der Waals radii, or null for the style of the browser. */
  readonly radius: number | "vdw" | null;
  readonly colour: string | null;
  readonly colourBy: {
    readonly key: string;
    readonly map: string;
    readonly min: number | null;
    readonly max: number | null;
  } | null;
  readonly opacity: number;
  readonly material: RoomMaterial;
  readonly selected: string | null;
  readonly tolerance: number;
  readonly periodic: boolean;
  readonly thickness: number;
  readonly cellColour: string | null;
}

export const DEFAULT_ROOM_APPEARANCE: RoomAppearance = {
  atoms: true,
  bonds: true,
  cell: true,
  scale: 1,
  radius: null,
  colour: null,
  colourBy: null,
  opacity: 1,
  material: "matte",
  selected: null,
  tolerance: 1.2,
  periodic: true,
  thickness: 0.12,
  cellColour: null,
};

export const BOND_THICKNESS = DEFAULT_ROOM_APPEARANCE.thickness;

/** The radius of an atom of an element, before `atomScale`. */
export function atomRadius(
  representation: Representation,
  element: { covalent: number; vdw: number },
): number {
  switch (representation) {
    case "space-filling":
      return element.vdw;
    case "sticks":
      return BOND_THICKNESS * 1.25;
    case "balls":
      return 0.55 * element.vdw;
    default:
      // Between both radii, so that hydrogens stay visible and metals do not hide their bonds.
      return 0.12 + 0.27 * element.covalent + 0.07 * element.vdw;
  }
}

export function showsBonds({ bonds, representation }: Style, room: RoomAppearance): boolean {
  return bonds && room.bonds && (representation === "ball-and-stick" || representation === "sticks");
}

/** The property that colours the atoms: the style of the browser overrides the room. */
export function colourSource(style: Style, { colourBy }: RoomAppearance) {
  if (style.colourBy) return { key: style.colourBy, map: style.colourMap, range: style.range };
  if (!colourBy) return null;
  const { key, map, min, max } = colourBy;
  return { key, map, range: min !== null && max !== null ? { min, max } : null };
}
