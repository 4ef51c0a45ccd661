/** Which atoms are drawn: not those that the user hid, and only those within the slice. */

import type { Structure } from "@/lib/atoms/structure";
import { hasVolume, makeCell } from "@/lib/atoms/unitCell";

/** Only atoms between two parallel planes are drawn. */
export interface Slice {
  /** Cartesian coordinates in Å, or shares of the cell's vectors. */
  readonly axis: "x" | "y" | "z" | "a" | "b" | "c";
  readonly from: number;
  readonly to: number;
}

export interface Visibility {
  readonly hiddenElements: ReadonlySet<number>;
  readonly hiddenAtoms: ReadonlySet<number>;
  readonly slice: Slice | null;
}

export const EVERYTHING: Visibility = { hiddenElements: new Set(), hiddenAtoms: new Set(), slice: null };

/** One byte for each atom, 1 if it is drawn; null if all are. */
export function visibleAtoms(
  structure: Structure,
  { hiddenElements, hiddenAtoms, slice }: Visibility,
): Uint8Array | null {
  if (hiddenElements.size === 0 && hiddenAtoms.size === 0 && !slice) return null;
  const { count, numbers, positions } = structure;
  const visible = new Uint8Array(count);
  const normal = slice ? directionOf(structure, slice.axis) : null;
  for (let atom = 0; atom < count; atom++) {
    if (hiddenElements.has(numbers[atom]!)) continue;
    if (normal) {
      const place =
        positions[3 * atom]! * normal[0] +
        positions[3 * atom + 1]! * normal[1] +
        positions[3 * atom + 2]! * normal[2];
      if (place < slice!.from || place > slice!.to) continue;
    }
    visible[atom] = 1;
  }
  for (const atom of hiddenAtoms) if (atom >= 0 && atom < count) visible[atom] = 0;
  return visible;
}

/** The smallest and largest coordinate of the atoms along an axis. */
export function extentAlong(structure: Structure, axis: Slice["axis"]): { min: number; max: number } {
  const normal = directionOf(structure, axis);
  const { count, positions } = structure;
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  if (!normal) return { min: 0, max: 1 };
  for (let atom = 0; atom < count; atom++) {
    const place =
      positions[3 * atom]! * normal[0] +
      positions[3 * atom + 1]! * normal[1] +
      positions[3 * atom + 2]! * normal[2];
    if (place < min) min = place;
    if (place > max) max = place;
  }
  return min <= max ? { min, max } : { min: 0, max: 1 };
}

/** The coordinate along an axis is the product with this vector; null without a cell. */
function directionOf(
  { cell, pbc }: Structure,
  axis: Slice["axis"],
): readonly [number, number, number] | null {
  const cartesian = "xyz".indexOf(axis);
  if (cartesian >= 0) return [0, 1, 2].map((part) => Number(part === cartesian)) as [number, number, number];
  if (!hasVolume(cell)) return null;
  const { inverse } = makeCell(cell, pbc);
  const row = "abc".indexOf(axis);
  return [inverse[row]!, inverse[3 + row]!, inverse[6 + row]!];
}
