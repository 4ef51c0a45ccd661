/** Finds the atom under the pointer and the atoms in a rectangle from their positions, without reading pixels back. */
import type { Matrix4, Vector3 } from "three";
import { type AtomTextures, VISIBLE } from "../layers/atomTextures";

/** The first visible atom that a ray hits, or −1. With several origins: the nearest of the atoms that their rays hit. */
export function atomOnRay(
  atoms: AtomTextures,
  origins: readonly Vector3[],
  direction: Vector3,
  size: number,
  slack: number,
): number {
  const { positions, colours, count } = atoms;
  const { x: dx, y: dy, z: dz } = direction;
  let nearest = Number.POSITIVE_INFINITY;
  let found = -1;
  for (const { x: ox, y: oy, z: oz } of origins)
    for (let i = 0; i < count; i++) {
      const x = positions[4 * i]! - ox;
      const y = positions[4 * i + 1]! - oy;
      const z = positions[4 * i + 2]! - oz;
      const along = x * dx + y * dy + z * dz;
      if (along <= 0 || along >= nearest + 10) continue;
      const ax = x - along * dx;
      const ay = y - along * dy;
      const az = z - along * dz;
      const square = ax * ax + ay * ay + az * az;
      const radius = positions[4 * i + 3]! * size;
      const reach = Math.max(radius, slack * along);
      if (square > reach * reach || (colours[4 * i + 3]! & VISIBLE) === 0) continue;
      const hit = along - Math.sqrt(Math.max(0, radius * radius - square));
      if (hit < nearest) {
        nearest = hit;
        found = i;
      }
    }
  return found;
}

/** A place on the screen, −1 to 1 each way. */
export type ScreenPoint = readonly [x: number, y: number];

/** The visible atoms whose centres project into an outline on the screen. */
export function atomsWithin(atoms: AtomTextures, seen: Matrix4, outline: readonly ScreenPoint[]): number[] {
  const { positions, colours, count } = atoms;
  const m = seen.elements;
  const found: number[] = [];
  const [left, right] = [Math.min(...outline.map(([x]) => x)), Math.max(...outline.map(([x]) => x))];
  const [bottom, top] = [Math.min(...outline.map(([, y]) => y)), Math.max(...outline.map(([, y]) => y))];
  for (let i = 0; i < count; i++) {
    if ((colours[4 * i + 3]! & VISIBLE) === 0) continue;
    const x = positions[4 * i]!;
    const y = positions[4 * i + 1]!;
    const z = positions[4 * i + 2]!;
    const w = m[3] * x + m[7] * y + m[11] * z + m[15];
    if (w <= 0) continue;
    const sx = (m[0] * x + m[4] * y + m[8] * z + m[12]) / w;
    if (sx < left || sx > right) continue;
    const sy = (m[1] * x + m[5] * y + m[9] * z + m[13]) / w;
    if (sy >= bottom && sy <= top && isInside(outline, sx, sy)) found.push(i);
  }
  return found;
}

/** Whether a point is within a closed outline: a line to its right crosses the outline an odd number of times. */
export function isInside(outline: readonly ScreenPoint[], x: number, y: number): boolean {
  let inside = false;
  for (let at = 0, before = outline.length - 1; at < outline.length; before = at++) {
    const [ax, ay] = outline[at]!;
    const [bx, by] = outline[before]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
