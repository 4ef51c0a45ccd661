/** How atoms are drawn: the style is set in the viewer and stored in this browser. */

export type Representation = "ball-and-stick" | "space-filling" | "sticks" | "balls";

export interface Style {
  readonly representation: Representation;
  /** Atoms closer than this times the sum of their covalent radii are bonded; null uses the room's value. */
  readonly tolerance: number | null;
  readonly atomScale: number;
  readonly bonds: boolean;
  readonly cell: boolean;
  readonly flat: boolean;
  readonly haze: boolean;
  /** A key of the frame; null colours by element. */
  readonly colourBy: string | null;
  readonly colourMap: string;
  /** Null uses the range of the shown values. */
  readonly range: { readonly min: number; readonly max: number } | null;
  readonly vectors: string | null;
  readonly vectorScale: number;
  /** Measure to the nearest periodic images. */
  readonly nearestImages: boolean;
}

export const DEFAULT_STYLE: Style = {
  representation: "ball-and-stick",
  tolerance: null,
  atomScale: 1,
  bonds: true,
  cell: true,
  flat: false,
  haze: true,
  colourBy: null,
  colourMap: "viridis",
  range: null,
  vectors: null,
  vectorScale: 1,
  nearestImages: true,
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
