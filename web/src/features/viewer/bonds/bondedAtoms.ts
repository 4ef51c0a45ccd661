/** Follows bonds from atom to atom: molecules, and selections that grow or shrink by one bond. */
import { CYLINDER_STRIDE } from "./bondCylinders";
import type { Bonds } from "./findBonds";

/** The atoms that are connected to an atom by bonds, including bonds through the faces of the cell. */
export function moleculeOf(cylinders: Int32Array, atom: number): number[] {
  const neighbours = new Map<number, number[]>();
  const link = (from: number, to: number) => {
    const known = neighbours.get(from);
    if (known) known.push(to);
    else neighbours.set(from, [to]);
  };
  for (let at = 0; at < cylinders.length; at += CYLINDER_STRIDE) {
    link(cylinders[at]!, cylinders[at + 1]!);
    link(cylinders[at + 1]!, cylinders[at]!);
  }
  const found = new Set([atom]);
  const next = [atom];
  for (let one = next.pop(); one !== undefined; one = next.pop())
    for (const other of neighbours.get(one) ?? [])
      if (!found.has(other)) {
        found.add(other);
        next.push(other);
      }
  return [...found];
}

/** The atoms and all that are bonded to one of them. */
export function grown(atoms: readonly number[], bonds: Bonds): number[] {
  const before = new Set(atoms);
  const after = new Set(atoms);
  for (let at = 0; at < bonds.length; at += 3) {
    const [one, other] = [bonds[at]!, bonds[at + 1]!];
    if (before.has(one)) after.add(other);
    if (before.has(other)) after.add(one);
  }
  return [...after];
}

/** The atoms without those that are bonded to an atom beside them. */
export function shrunk(atoms: readonly number[], bonds: Bonds): number[] {
  const before = new Set(atoms);
  const after = new Set(atoms);
  for (let at = 0; at < bonds.length; at += 3) {
    const [one, other] = [bonds[at]!, bonds[at + 1]!];
    if (!before.has(other)) after.delete(one);
    if (!before.has(one)) after.delete(other);
  }
  return [...after];
}
