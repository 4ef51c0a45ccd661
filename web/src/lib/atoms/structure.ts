/** The structure of a frame: atoms, cell and periodicity. */
import { hasRowPerAtom } from "@/lib/atoms/frameKeys";
import { asFloats, asIndices, type Frame, isArray, isNumeric, rowLength } from "@/lib/frames";

export interface Structure {
  readonly frame: Frame;
  readonly count: number;
  readonly numbers: Int32Array;
  readonly positions: Float32Array | Float64Array;
  /** Nine numbers, row vectors; null without a cell. */
  readonly cell: Float32Array | Float64Array | null;
  readonly pbc: readonly [boolean, boolean, boolean];
}

const NONE = new Float64Array(0);

export function structureOf(frame: Frame): Structure {
  const numbers = frame.get("arrays.numbers");
  const positions = frame.get("arrays.positions");
  const cell = frame.get("cell");
  const pbc = frame.get("pbc");
  const places = isNumeric(positions) ? asFloats(positions) : NONE;
  const kinds = isNumeric(numbers) ? asIndices(numbers) : new Int32Array(places.length / 3);
  const periodic = isArray(pbc) ? [0, 1, 2].map((axis) => Boolean(pbc.data[axis]!)) : [false, false, false];
  return {
    frame,
    count: Math.min(kinds.length, Math.floor(places.length / 3)),
    numbers: kinds,
    positions: places,
    cell: isNumeric(cell) && cell.data.length === 9 ? asFloats(cell) : null,
    pbc: periodic as unknown as Structure["pbc"],
  };
}

/** Whether two structures have the same elements in the same order. */
export function haveSameAtoms(before: Structure, after: Structure): boolean {
  const [one, other] = [before.numbers, after.numbers];
  if (before.count !== after.count) return false;
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i]! !== other[i]!) return false;
  return true;
}

/** One number for each atom: the array itself, or the length of each of its vectors. */
export function scalarsOf(
  structure: Pick<Structure, "frame" | "count">,
  key: string,
): Float32Array | Float64Array | null {
  const array = structure.frame.get(key);
  if (!isNumeric(array) || !hasRowPerAtom(key, array.shape, structure.count)) return null;
  const per = rowLength(array);
  const values = asFloats(array);
  if (per === 1) return values;
  const lengths = new Float64Array(structure.count);
  for (let i = 0; i < lengths.length; i++) {
    let square = 0;
    for (let part = 0; part < per; part++) square += values[i * per + part]! ** 2;
    lengths[i] = Math.sqrt(square);
  }
  return lengths;
}

export function vectorsOf(structure: Structure, key: string): Float32Array | Float64Array | null {
  const array = structure.frame.get(key);
  if (
    !isNumeric(array) ||
    array.shape.length !== 2 ||
    !hasRowPerAtom(key, array.shape, structure.count) ||
    array.shape[1]! !== 3
  )
    return null;
  return asFloats(array);
}
