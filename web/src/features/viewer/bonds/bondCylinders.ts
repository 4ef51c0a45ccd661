/**
 * Bonds as cylinders: whole inside the cell; a bond through a face is drawn as one half at each end. A bond of a higher order
 * is drawn as several thinner strands side by side.
 */
import { type Bonds, NO_SHIFT, packShift, unpackShift } from "./findBonds";

const HALF = 1 << 30;
/** Numbers for each cylinder: start atom, end atom, the shift with a bit for a half, and the strand (`packStrand`). */
export const CYLINDER_STRIDE = 4;

interface Strand {
  /** From the line between the atoms, in hundredths of the bond's radius. */
  readonly aside: number;
  /** In hundredths of the bond's radius. */
  readonly radius: number;
}

const SINGLE: readonly Strand[] = [{ aside: 0, radius: 100 }];
const AROMATIC: readonly Strand[] = [
  { aside: -85, radius: 55 },
  { aside: 85, radius: 30 },
];
const DOUBLE: readonly Strand[] = [
  { aside: -85, radius: 55 },
  { aside: 85, radius: 55 },
];
const TRIPLE: readonly Strand[] = [
  { aside: -130, radius: 45 },
  { aside: 0, radius: 45 },
  { aside: 130, radius: 45 },
];

export function packStrand({ aside, radius }: Strand): number {
  return (aside + 512) | (radius << 10);
}

function strandsOf(order: number): readonly Strand[] {
  if (order >= 2.75) return TRIPLE;
  if (order >= 1.75) return DOUBLE;
  return order >= 1.25 ? AROMATIC : SINGLE;
}

/** The cylinders of bonds; without orders all bonds are single. */
export function bondCylinders(
  bonds: Bonds,
  orders: ArrayLike<number> | null = null,
): Int32Array<ArrayBuffer> {
  const drawn: number[] = [];
  for (let at = 0; at < bonds.length; at += 3) {
    const [i, j, shift] = [bonds[at]!, bonds[at + 1]!, bonds[at + 2]!];
    const inside = shift === NO_SHIFT;
    const [x, y, z] = unpackShift(shift);
    for (const strand of strandsOf(orders?.[at / 3] ?? 1)) {
      const packed = packStrand(strand);
      drawn.push(i, j, inside ? shift : shift | HALF, packed);
      // Seen from the other end, the other side is on the other hand.
      if (!inside)
        drawn.push(j, i, packShift(-x, -y, -z) | HALF, packStrand({ ...strand, aside: -strand.aside }));
    }
  }
  return new Int32Array(drawn);
}
