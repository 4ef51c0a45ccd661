// A surface through a grid of values where they equal a level: one corner in each cell of the grid that the surface
// passes, at the mean of where it cuts the cell's edges, and a square between the four cells around each cut edge.

export interface Grid {
  readonly values: ArrayLike<number>;
  readonly shape: readonly [number, number, number];
}

export interface Surface {
  /** In units of the grid's extent: 0 to 1 along each axis. */
  readonly positions: Float32Array<ArrayBuffer>;
  readonly triangles: Uint32Array<ArrayBuffer>;
}

/** The values at every `step`-th point. */
export function downsample({ values, shape }: Grid, step: number): Grid {
  if (step <= 1) return { values, shape };
  const [nx, ny, nz] = shape.map((n) => Math.max(2, Math.ceil(n / step))) as [number, number, number];
  const fewer = new Float32Array(nx * ny * nz);
  let at = 0;
  for (let x = 0; x < nx; x++)
    for (let y = 0; y < ny; y++)
      for (let z = 0; z < nz; z++) {
        const [i, j, k] = [x * step, y * step, z * step].map((n, axis) => Math.min(n, shape[axis]! - 1)) as [
          number,
          number,
          number,
        ];
        fewer[at++] = values[(i * shape[1] + j) * shape[2] + k]!;
      }
  return { values: fewer, shape: [nx, ny, nz] };
}

export function surfaceNets({ values, shape }: Grid, level: number): Surface {
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
        positions.push((x + cut[0]! / count) / nx, (y + cut[1]! / count) / ny, (z + cut[2]! / count) / nz);
      }
  for (let x = 0; x < nx - 1; x++)
    for (let y = 0; y < ny - 1; y++) for (let z = 0; z < nz - 1; z++) squares(x, y, z);
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };

  /** Where the surface cuts the twelve edges of a cell, summed up; how many it cuts. */
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
