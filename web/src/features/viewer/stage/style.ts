/** How atoms are drawn: chosen in the viewer, kept in this browser. */

export type Representation = "ball-and-stick" | "space-filling" | "sticks" | "balls";

export interface Style {
  readonly representation: Representation;
  /** Bond where atoms are closer than this times the sum of their covalent radii. */
  readonly tolerance: number;
  readonly atomScale: number;
  readonly bonds: boolean;
  readonly cell: boolean;
  readonly flat: boolean;
  readonly haze: boolean;
  /** A key of the frame, or nothing: by element. */
  readonly colourBy: string | null;
  readonly colourMap: string;
  /** Nothing: the range of what is shown. */
  readonly range: { readonly min: number; readonly max: number } | null;
  readonly vectors: string | null;
  readonly vectorScale: number;
}

export const PLAIN: Style = {
  representation: "ball-and-stick",
  tolerance: 1.15,
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
};

export const BOND_THICKNESS = 0.12;

/** The radius of an atom of an element, before `atomScale`. */
export function radiusIn(representation: Representation, element: { covalent: number; vdw: number }): number {
  switch (representation) {
    case "space-filling":
      return element.vdw;
    case "sticks":
      return BOND_THICKNESS * 1.25;
    case "balls":
      return 0.55 * element.vdw;
    default:
      // Between the two radii: hydrogens do not vanish, and metals leave their bonds to be seen.
      return 0.12 + 0.27 * element.covalent + 0.07 * element.vdw;
  }
}

export function showsBonds({ bonds, representation }: Style): boolean {
  return bonds && (representation === "ball-and-stick" || representation === "sticks");
}
