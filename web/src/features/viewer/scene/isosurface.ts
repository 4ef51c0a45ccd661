// Surface nets: an isosurface with one vertex in each grid cell that the surface crosses, at the mean of its edge
// intersections, and one quad between the four cells around each intersected edge.

export interface Grid {
  readonly values: ArrayLike<number>;
  readonly shape: readonly [number, number, number];
}

/** A grid whose points have places, in units of the cell: point `i` of an axis is at `places[axis][i]`. */
export interface PlacedGrid extends Grid {
  readonly places: readonly (readonly number[])[];
  /** The axes whose last two points are the first two of the next cell. */
  readonly periodic: readonly boolean[];
}

export interface Surface {
  /** In units of the cell: 0 to 1 along each axis; periodic surfaces end as far behind 1 as they begin behind 0. */
  readonly positions: Float32Array<ArrayBuffer>;
  readonly triangles: Uint32Array<ArrayBuffer>;
}

/**
 * The values at every `step`-th point. Point `i` of `n` is at `i / n` of the cell. Along periodic axes the first two points of the
 * next cell follow, so that the surface goes on to where the next cell's begins.
 */
export function sampled({ values, shape }: Grid, step: number, periodic: readonly boolean[]): PlacedGrid {
  const taken = shape.map((n, axis) => {
    const indices = Array.from({ length: Math.ceil(n / step) }, (_, at) => at * step);
    if (periodic[axis]) return [...indices, n, n + (indices[1] ?? n)];
    if (indices.length < 2) indices.push(n - 1);
    return indices;
  });
  const [xs, ys, zs] = taken as [number[], number[], number[]];
  const fewer = new Float32Array(xs.length * ys.length * zs.length);
  let at = 0;
  for (const x of xs)
    for (const y of ys)
      for (const z of zs)
        fewer[at++] = values[((x % shape[0]) * shape[1] + (y % shape[1])) * shape[2] + (z % shape[2])]!;
  return {
    values: fewer,
    shape: [xs.length, ys.length, zs.length],
    places: taken.map((indices, axis) => indices.map((index) => index / shape[axis]!)),
    periodic,
  };
}

export function surfaceNets({ values, shape, places, periodic }: PlacedGrid, level: number): Surface {
  const [nx, ny, nz] = shape;
  const stride = [ny * nz, nz, 1] as const;
  const positions: number[] = [];
  const triangles: number[] = [];
  const corners = new Int32Array(nx * ny * nz).fill(-1);
  const cut = [0, 0, 0];
  for (let x = 0; x < nx - 1; x++)
    for (let y = 0; y < ny - 1; y++)
      for (let z = 0; z < nz - 1; z++) {
        const base = x * stride[0] + y * stride[1] + z;
        const count = crossing(base, cut);
        if (count === 0) continue;
        corners[base] = positions.length / 3;
        positions.push(place(0, x, count), place(1, y, count), place(2, z, count));
      }
  for (let x = 0; x < nx - 1; x++)
    for (let y = 0; y < ny - 1; y++) for (let z = 0; z < nz - 1; z++) squares(x, y, z);
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };

  /** Where the mean of the intersections is along an axis. */
  function place(axis: number, at: number, count: number): number {
    const [from, to] = [places[axis]![at]!, places[axis]![at + 1]!];
    return from + (cut[axis]! / count) * (to - from);
  }

  /** Sums the intersections of the surface with the twelve edges of a cell and returns their number. */
  function crossing(base: number, sum: number[]): number {
    sum.fill(0);
    let count = 0;
    for (let axis = 0; axis < 3; axis++) {
      const [one, other] = [(axis + 1) % 3, (axis + 2) % 3];
      for (let edge = 0; edge < 4; edge++) {
        const [a, b] = [edge & 1, edge >> 1];
        const from = base + a * stride[one]! + b * stride[other]!;
        const [low, high] = [values[from]! - level, values[from + stride[axis]!]! - level];
        if (low < 0 === high < 0) continue;
        sum[axis]! += low / (low - high);
        sum[one]! += a;
        sum[other]! += b;
        count++;
      }
    }
    return count;
  }

  function squares(x: number, y: number, z: number): void {
    const at = [x, y, z];
    const base = x * stride[0] + y * stride[1] + z;
    const inside = values[base]! < level;
    for (let axis = 0; axis < 3; axis++) {
      const [one, other] = [(axis + 1) % 3, (axis + 2) % 3];
      if (at[one] === 0 || at[other] === 0) continue;
      // The same edge is at the end of the axis again.
      if (at[axis] === 0 && periodic[axis]) continue;
      if (inside === values[base + stride[axis]!]! < level) continue;
      const [a, b, c, d] = [
        base,
        base - stride[one]!,
        base - stride[one]! - stride[other]!,
        base - stride[other]!,
      ].map((cell) => corners[cell]!) as [number, number, number, number];
      if (a < 0 || b < 0 || c < 0 || d < 0) continue;
      if (inside) triangles.push(a, c, b, a, d, c);
      else triangles.push(a, b, c, a, c, d);
    }
  }
}
