/** The unit cell: row vectors, heights between faces, and the inverse for fractional coordinates. */

export type Vec3 = readonly [number, number, number];

export interface Cell {
  /** Three row vectors, nine numbers. A missing vector is replaced by a unit vector. */
  readonly rows: Float64Array;
  readonly inverse: Float64Array;
  /** Distance between opposite faces, for each direction. */
  readonly heights: Vec3;
  readonly periodic: readonly [boolean, boolean, boolean];
}

const FLAT = 1e-9;
/** Further images are not searched: a cell that needs them is degenerate. */
const MOST_IMAGES = 8;

/** Complete a cell that may lack vectors (molecules, slabs); a direction without a vector is not periodic. */
export function makeCell(given: ArrayLike<number> | null, pbc: ArrayLike<number | boolean> | null): Cell {
  const vectors: number[][] = [0, 1, 2].map((row) => [0, 1, 2].map((part) => given?.[3 * row + part] ?? 0));
  const there = vectors.map((vector) => length(vector) > FLAT);
  for (let row = 0; row < 3; row++) if (!there[row]!) vectors[row] = perpendicular(vectors, there, row);
  let volume = dot(vectors[0]!, cross(vectors[1]!, vectors[2]!));
  if (Math.abs(volume) < FLAT) {
    // The vectors are coplanar: no direction can be periodic.
    vectors.splice(0, 3, [1, 0, 0], [0, 1, 0], [0, 0, 1]);
    there.fill(false);
    volume = 1;
  }
  const faces = [
    cross(vectors[1]!, vectors[2]!),
    cross(vectors[2]!, vectors[0]!),
    cross(vectors[0]!, vectors[1]!),
  ];
  const inverse = new Float64Array(9);
  for (let row = 0; row < 3; row++)
    for (let part = 0; part < 3; part++) inverse[3 * part + row] = faces[row]![part]! / volume;
  return {
    rows: Float64Array.from(vectors.flat()),
    inverse,
    heights: faces.map((face) => Math.abs(volume) / length(face)) as unknown as Vec3,
    periodic: there.map((one, row) => one && Boolean(pbc?.[row])) as unknown as Cell["periodic"],
  };
}

/** The shortest vector among all periodic images of a vector. */
export function minimumImage({ rows, inverse, heights, periodic }: Cell, vector: Vec3): Vec3 {
  const wrapped = [...vector];
  for (let row = 0; row < 3; row++) {
    if (!periodic[row]!) continue;
    const cells = Math.round(
      [0, 1, 2].reduce((sum, part) => sum + wrapped[part]! * inverse[3 * part + row]!, 0),
    );
    for (let part = 0; part < 3; part++) wrapped[part]! -= cells * rows[3 * row + part]!;
  }
  // In a skewed cell a neighbouring image may be shorter; one that is has to lie within the length of this one.
  const reach = heights.map((height, row) =>
    periodic[row]! ? Math.min(MOST_IMAGES, Math.ceil(length(wrapped) / height + 0.5)) : 0,
  );
  let best = wrapped;
  for (let a = -reach[0]!; a <= reach[0]!; a++)
    for (let b = -reach[1]!; b <= reach[1]!; b++)
      for (let c = -reach[2]!; c <= reach[2]!; c++) {
        const image = wrapped.map(
          (x, part) => x + a * rows[part]! + b * rows[3 + part]! + c * rows[6 + part]!,
        );
        if (length(image) < length(best) - FLAT) best = image;
      }
  return best as unknown as Vec3;
}

/** Whether a cell has a volume, so that there is a box to draw. */
export function hasVolume(given: ArrayLike<number> | null): given is ArrayLike<number> {
  if (!given || given.length < 9) return false;
  const row = (at: number): number[] => [given[at]!, given[at + 1]!, given[at + 2]!];
  return Math.abs(dot(row(0), cross(row(3), row(6)))) > 1e-6;
}

function perpendicular(vectors: number[][], there: boolean[], row: number): number[] {
  const [one, other] = [vectors[(row + 1) % 3]!, vectors[(row + 2) % 3]!];
  const known = [one, other].filter((vector) => length(vector) > FLAT);
  let direction = [row === 0 ? 1 : 0, row === 1 ? 1 : 0, row === 2 ? 1 : 0];
  if (known.length === 2) direction = cross(one, other);
  else if (known.length === 1) {
    const axis = known[0]!.map((part) => part / length(known[0]!));
    const candidates = [direction, [1, 0, 0], [0, 1, 0], [0, 0, 1]];
    direction = candidates
      .map((candidate) => candidate.map((part, at) => part - dot(candidate, axis) * axis[at]!))
      .reduce((best, candidate) => (length(candidate) > length(best) + 0.3 ? candidate : best));
  }
  there[row] = false;
  const size = length(direction);
  return size > FLAT ? direction.map((part) => part / size) : [0, 0, 0];
}

function length(vector: number[]): number {
  return Math.hypot(vector[0]!, vector[1]!, vector[2]!);
}

function dot(one: number[], other: number[]): number {
  return one[0]! * other[0]! + one[1]! * other[1]! + one[2]! * other[2]!;
}

function cross(one: number[], other: number[]): number[] {
  return [
    one[1]! * other[2]! - one[2]! * other[1]!,
    one[2]! * other[0]! - one[0]! * other[2]!,
    one[0]! * other[1]! - one[1]! * other[0]!,
  ];
}
