/** Which atoms are drawn: not those that the user hid, and only those within the slice. */

import type { Structure } from "@/lib/atoms/structure";
import { hasVolume, makeCell } from "@/lib/atoms/unitCell";

/** Only atoms between two parallel planes are drawn. */
export interface Slice {
  /**
   * Cartesian coordinates in Å, shares of the cell's vectors, the distance in Å along the normal of the planes (h k l), or along
   * a direction that was that of the view.
   */
  readonly axis: "x" | "y" | "z" | "a" | "b" | "c" | "hkl" | "view";
  /** The Miller indices of "hkl", or the direction of "view". */
  readonly vector?: readonly [number, number, number];
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
  const normal = slice ? directionOf(structure, slice) : null;
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
export function extentAlong(structure: Structure, along: Direction): { min: number; max: number } {
  const normal = directionOf(structure, along);
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

type Direction = Pick<Slice, "axis" | "vector">;

/** The coordinate along an axis is the product with this vector; null without a cell or without a direction. */
function directionOf(
  { cell, pbc }: Structure,
  { axis, vector }: Direction,
): readonly [number, number, number] | null {
  if (axis === "view") return unit(vector ?? [0, 0, 0]);
  const cartesian = "xyz".indexOf(axis);
  if (cartesian >= 0) return [0, 1, 2].map((part) => Number(part === cartesian)) as [number, number, number];
  if (!hasVolume(cell)) return null;
  const { inverse } = makeCell(cell, pbc);
  if (axis === "hkl") {
    // The columns of the inverse cell are the reciprocal vectors.
    const [h, k, l] = vector ?? [0, 0, 0];
    return unit(
      [0, 1, 2].map(
        (part) => h * inverse[3 * part]! + k * inverse[3 * part + 1]! + l * inverse[3 * part + 2]!,
      ) as [number, number, number],
    );
  }
  const row = "abc".indexOf(axis);
  return [inverse[row]!, inverse[3 + row]!, inverse[6 + row]!];
}

function unit(vector: readonly [number, number, number]): readonly [number, number, number] | null {
  const length = Math.hypot(...vector);
  if (!(length > 1e-9)) return null;
  return [vector[0] / length, vector[1] / length, vector[2] / length];
}

/** Miller indices as they are typed: "1 1 0", "1,-1,0" or "110"; null if they are none. */
export function parseMiller(text: string): readonly [number, number, number] | null {
  const compact = /^\s*\(?\s*([-−]?\d)\s*([-−]?\d)\s*([-−]?\d)\s*\)?\s*$/.exec(text);
  const parts = compact
    ? compact.slice(1)
    : text
        .replace(/[()]/g, " ")
        .split(/[\s,]+/)
        .filter(Boolean);
  if (parts.length !== 3) return null;
  const [h, k, l] = parts.map((part) => Number(part.replace("−", "-")));
  if (![h, k, l].every((index) => Number.isInteger(index)) || (h === 0 && k === 0 && l === 0)) return null;
  return [h!, k!, l!];
}
