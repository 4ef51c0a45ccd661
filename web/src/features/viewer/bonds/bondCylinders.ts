/** Bonds as they are drawn: whole ones inside the cell; through a face, one half at either end. */
import { type Bonds, NO_SHIFT, packShift, unpackShift } from "./findBonds";

const HALF = 1 << 30;

/** Three numbers for each cylinder: the atom it starts at, the one it points to, its shift, with a bit for a half. */
export function bondCylinders(bonds: Bonds): Int32Array<ArrayBuffer> {
  let through = 0;
  for (let at = 2; at < bonds.length; at += 3) if (bonds[at]! !== NO_SHIFT) through++;
  const drawn = new Int32Array(bonds.length + 3 * through);
  let used = 0;
  for (let at = 0; at < bonds.length; at += 3) {
    const [i, j, shift] = [bonds[at]!, bonds[at + 1]!, bonds[at + 2]!];
    const inside = shift === NO_SHIFT;
    drawn[used++] = i;
    drawn[used++] = j;
    drawn[used++] = inside ? shift : shift | HALF;
    if (inside) continue;
    const [x, y, z] = unpackShift(shift);
    drawn[used++] = j;
    drawn[used++] = i;
    drawn[used++] = packShift(-x, -y, -z) | HALF;
  }
  return drawn;
}
