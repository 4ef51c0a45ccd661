/** Periodic images of the structure that are drawn beside it. They are not atoms of the frame. */
import { Mesh } from "three";
import { hasVolume } from "@/lib/atoms/unitCell";
import type { ImpostorMesh } from "./layers/impostorQuads";

export type Offset = readonly [number, number, number];

/** More spheres than this are not drawn: fewer images are shown. */
const MOST_SPHERES = 2_000_000;
export const MOST_REPLICAS = 9;

/** Where the images are; the first one is the structure itself. The counts are lowered where there would be too many atoms. */
export function replicaOffsets(
  cell: ArrayLike<number> | null,
  counts: readonly [number, number, number],
  atoms: number,
): Offset[] {
  const offsets: Offset[] = [];
  if (!hasVolume(cell)) return [[0, 0, 0]];
  const many = counts.map((count) => Math.max(1, Math.min(MOST_REPLICAS, Math.trunc(count))));
  while (many[0]! * many[1]! * many[2]! * atoms > MOST_SPHERES && Math.max(...many) > 1)
    many[many.indexOf(Math.max(...many))]!--;
  for (let a = 0; a < many[0]!; a++)
    for (let b = 0; b < many[1]!; b++)
      for (let c = 0; c < many[2]!; c++)
        offsets.push(
          [0, 1, 2].map(
            (part) => a * cell[part]! + b * cell[3 + part]! + c * cell[6 + part]!,
          ) as unknown as Offset,
        );
  return offsets;
}

/** Draw a mesh once more at each offset behind the first; its images are hidden with it. */
export function replicate(mesh: ImpostorMesh, offsets: readonly Offset[]): void {
  const wanted = offsets.length - 1;
  for (const image of mesh.children.slice(wanted)) image.removeFromParent();
  while (mesh.children.length < wanted) {
    const image = new Mesh(mesh.geometry, mesh.material);
    image.frustumCulled = false;
    image.matrixAutoUpdate = false;
    mesh.add(image);
  }
  offsets.slice(1).forEach((offset, at) => {
    mesh.children[at]!.matrixWorld.makeTranslation(...(offset as [number, number, number]));
  });
}
