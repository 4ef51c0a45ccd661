/** The unit cell's twelve edges; those from the origin in the colours of the axes. */
import type { Rod } from "./impostors";
import type { Theme } from "./theme";

export const AXIS_COLOURS = ["#e5484d", "#46a758", "#3e7bfa"] as const;

export function cellRods(cell: ArrayLike<number>, radius: number, theme: Theme): Rod[] {
  const thick = Math.max(0.012, Math.min(0.06, radius * 0.0016));
  const corner = (a: number, b: number, c: number): [number, number, number] => [
    a * cell[0] + b * cell[3] + c * cell[6],
    a * cell[1] + b * cell[4] + c * cell[7],
    a * cell[2] + b * cell[5] + c * cell[8],
  ];
  const rods: Rod[] = [];
  for (let axis = 0; axis < 3; axis++)
    for (let edge = 0; edge < 4; edge++) {
      const at = [0, 0, 0];
      at[(axis + 1) % 3] = edge & 1;
      at[(axis + 2) % 3] = edge >> 1;
      const from = corner(at[0], at[1], at[2]);
      at[axis] = 1;
      const to = corner(at[0], at[1], at[2]);
      const colour = edge === 0 ? AXIS_COLOURS[axis] : theme.line;
      rods.push({ from, to, radius: edge === 0 ? thick * 1.6 : thick, colour });
    }
  return rods;
}
