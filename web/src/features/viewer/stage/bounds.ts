// The extent of what is drawn: for the depth range of the camera, and to fit everything into the view.
import { Vector3 } from "three";
import type { AtomTextures } from "./layers/atomTextures";

export interface BoundingSphere {
  readonly centre: Vector3;
  radius: number;
}

type Corner = readonly [number, number, number];

/** Set the sphere around all atoms and cell corners; it is left as it was where there are none. */
export function updateBounds(sphere: BoundingSphere, atoms: AtomTextures, corners: readonly Corner[]): void {
  const low = new Vector3().setScalar(Number.POSITIVE_INFINITY);
  const high = new Vector3().setScalar(Number.NEGATIVE_INFINITY);
  const point = new Vector3();
  const { positions, count } = atoms;
  for (let i = 0; i < count; i++) {
    point.set(positions[4 * i]!, positions[4 * i + 1]!, positions[4 * i + 2]!);
    if (!Number.isFinite(point.x + point.y + point.z)) continue;
    low.min(point);
    high.max(point);
  }
  for (const corner of corners) {
    low.min(point.fromArray(corner));
    high.max(point);
  }
  if (low.x > high.x) return;
  sphere.centre.copy(low).add(high).multiplyScalar(0.5);
  sphere.radius = low.distanceTo(high) / 2 + 1.2;
}

/** Atoms and cell corners as points of four numbers each. */
export function pointsToFit(atoms: AtomTextures, corners: readonly Corner[]): Float32Array {
  const { positions, count } = atoms;
  const points = new Float32Array(4 * (count + corners.length));
  points.set(positions.subarray(0, 4 * count));
  corners.forEach((corner, i) => {
    points.set(corner, 4 * (count + i));
  });
  return points;
}
