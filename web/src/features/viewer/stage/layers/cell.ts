/** The unit cell's twelve edges; those from the origin in the colours of the axes. */
import type { Cylinder } from "./cylinders";

export const AXIS_COLOURS = ["#e5484d", "#46a758", "#3e7bfa"] as const;

function cornerOf(cell: ArrayLike<number>, a: number, b: number, c: number): [number, number, number] {
  const part = (at: number): number => a * cell[at]! + b * cell[3 + at]! + c * cell[6 + at]!;
  return [part(0), part(1), part(2)];
}

export function cellCorners(cell: ArrayLike<number>): [number, number, number][] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((n) => cornerOf(cell, n & 1, (n >> 1) & 1, n >> 2));
}

export function cellEdges(cell: ArrayLike<number>, radius: number, line: string): Cylinder[] {
  const thick = Math.max(0.012, Math.min(0.06, radius * 0.0016));
  const corner = (a: number, b: number, c: number) => cornerOf(cell, a, b, c);
  const rods: Cylinder[] = [];
  for (let axis = 0; axis < 3; axis++)
    for (let edge = 0; edge < 4; edge++) {
      const at: [number, number, number] = [0, 0, 0];
      at[(axis + 1) % 3] = edge & 1;
      at[(axis + 2) % 3] = edge >> 1;
      const from = corner(at[0], at[1], at[2]);
      at[axis] = 1;
      const to = corner(at[0], at[1], at[2]);
      const colour = edge === 0 ? AXIS_COLOURS[axis]! : line;
      rods.push({ from, to, radius: edge === 0 ? thick * 1.6 : thick, colour });
    }
  return rods;
}
