/** A structure with its atoms within the cell. */
import type { Structure } from "@/lib/atoms/structure";
import { hasVolume, makeCell } from "@/lib/atoms/unitCell";

/** An atom that is this share of the cell below a face counts as on it: rounding must not move it to the other side. */
const ON_FACE = 1e-7;

/** The same structure with positions within the cell along its periodic directions; the structure itself without such a cell. */
export function wrapIntoCell(structure: Structure): Structure {
  const { cell, pbc, positions, count } = structure;
  if (!hasVolume(cell) || !pbc.some(Boolean)) return structure;
  const { inverse } = makeCell(cell, pbc);
  const inside = Float64Array.from(positions);
  for (let atom = 0; atom < count; atom++) {
    const at = 3 * atom;
    for (let row = 0; row < 3; row++) {
      if (!pbc[row]) continue;
      const share =
        positions[at]! * inverse[row]! +
        positions[at + 1]! * inverse[3 + row]! +
        positions[at + 2]! * inverse[6 + row]!;
      const cells = Math.floor(share + ON_FACE);
      if (cells === 0 || !Number.isFinite(cells)) continue;
      for (let part = 0; part < 3; part++) inside[at + part]! -= cells * cell[3 * row + part]!;
    }
  }
  return { ...structure, positions: inside };
}
