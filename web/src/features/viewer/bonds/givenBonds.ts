/** The bonds that a frame gives itself: rows of two atoms and the order of the bond. */
import { makeCell, minimumImage, type Vec3 } from "@/lib/atoms/unitCell";
import { asFloats, type Frame, isNumeric, rowLength } from "@/lib/frames";
import { type BondQuery, type Bonds, packShift } from "./findBonds";

export const CONNECTIVITY_KEY = "info.connectivity";

/** Three numbers for each bond, the order last; empty for a frame that says it has no bonds, null for one that says nothing. */
export function connectivityOf(frame: Frame): Float64Array<ArrayBuffer> | null {
  const given = frame.get(CONNECTIVITY_KEY);
  if (isEmpty(given)) return new Float64Array(0);
  if (isNumeric(given) && given.shape.length === 2) {
    const per = rowLength(given);
    if (per !== 2 && per !== 3) return null;
    const values = asFloats(given);
    return rows(given.shape[0]!, (row, part) => (part < per ? values[row * per + part]! : 1));
  }
  if (
    Array.isArray(given) &&
    given.every((row) => Array.isArray(row) && (row.length === 2 || row.length === 3))
  )
    return rows(given.length, (row, part) => Number((given[row] as unknown[])[part] ?? 1));
  return null;
}

function isEmpty(given: unknown): boolean {
  return Array.isArray(given) ? !given.length : isNumeric(given) && given.shape[0] === 0;
}

function rows(count: number, value: (row: number, part: number) => number): Float64Array<ArrayBuffer> {
  const found = new Float64Array(3 * count);
  for (let row = 0; row < count; row++)
    for (let part = 0; part < 3; part++) found[3 * row + part] = value(row, part);
  return found;
}

/** The given bonds between atoms that exist, each to the nearest image, with their orders. */
export function givenBonds(
  { positions, numbers, cell: given, pbc }: Omit<BondQuery, "tolerance" | "metals">,
  connectivity: Float64Array,
): { bonds: Bonds; orders: Float64Array } {
  const count = Math.min(numbers.length, Math.floor(positions.length / 3));
  const cell = makeCell(given, pbc);
  const bonds: number[] = [];
  const orders: number[] = [];
  for (let at = 0; at + 2 < connectivity.length; at += 3) {
    const [i, j, order] = [connectivity[at]!, connectivity[at + 1]!, connectivity[at + 2]!];
    if (!(Number.isInteger(i) && Number.isInteger(j) && i >= 0 && j >= 0 && i < count && j < count)) continue;
    const apart = [0, 1, 2].map((part) => positions[3 * j + part]! - positions[3 * i + part]!);
    if (!apart.every(Number.isFinite)) continue;
    const nearest = minimumImage(cell, apart as unknown as Vec3);
    const moved = [0, 1, 2].map((part) => nearest[part]! - apart[part]!);
    const shift = [0, 1, 2].map((row) =>
      Math.round([0, 1, 2].reduce((sum, part) => sum + moved[part]! * cell.inverse[3 * part + row]!, 0)),
    );
    bonds.push(i, j, packShift(shift[0]!, shift[1]!, shift[2]!));
    orders.push(Number.isFinite(order) ? order : 1);
  }
  return { bonds: Int32Array.from(bonds), orders: Float64Array.from(orders) };
}
