/** Which atom is under the cursor, and which are in a box: worked out from the numbers, so that nothing is read back. */
import type { Matrix4, Vector3 } from "three";
import { type AtomTextures, VISIBLE } from "./layers/atomTextures";

/** The first visible atom a line of sight meets, or −1. */
export function atomOnRay(
  atoms: AtomTextures,
  origin: Vector3,
  direction: Vector3,
  size: number,
  slack: number,
): number {
  const { positions, colours, count } = atoms;
  const { x: ox, y: oy, z: oz } = origin;
  const { x: dx, y: dy, z: dz } = direction;
  let nearest = Number.POSITIVE_INFINITY;
  let found = -1;
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

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** The visible atoms whose centres are seen within a box (−1 to 1 each way). */
export function atomsInBox(atoms: AtomTextures, seen: Matrix4, { left, right, bottom, top }: Box): number[] {
  const { positions, colours, count } = atoms;
  const m = seen.elements;
  const found: number[] = [];
  for (let i = 0; i < count; i++) {
    if ((colours[4 * i + 3]! & VISIBLE) === 0) continue;
    const x = positions[4 * i]!;
    const y = positions[4 * i + 1]!;
    const z = positions[4 * i + 2]!;
    const w = m[3] * x + m[7] * y + m[11] * z + m[15];
    if (w <= 0) continue;
    const sx = (m[0] * x + m[4] * y + m[8] * z + m[12]) / w;
    const sy = (m[1] * x + m[5] * y + m[9] * z + m[13]) / w;
    if (sx >= left && sx <= right && sy >= bottom && sy <= top) found.push(i);
  }
  return found;
}
