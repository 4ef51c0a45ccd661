// The extent of what is drawn: for the depth range of the camera, and to fit everything into the view.
import { Vector3 } from "three";
import type { AtomTextures } from "./layers/atomTextures";

export interface BoundingSphere {
  readonly centre: Vector3;
  radius: number;
}

type Corner = readonly [number, number, number];

/**
 * Set the sphere around all atoms and cell corners; it is left as it was where there are none. Returns how many atoms are
 * nowhere: their positions are not finite numbers.
 */
export function updateBounds(
  sphere: BoundingSphere,
  atoms: AtomTextures,
  corners: readonly Corner[],
): number {
  const low = new Vector3().setScalar(Number.POSITIVE_INFINITY);
  const high = new Vector3().setScalar(Number.NEGATIVE_INFINITY);
  const point = new Vector3();
  let nowhere = 0;
  const { positions, count } = atoms;
  for (let i = 0; i < count; i++) {
    point.set(positions[4 * i]!, positions[4 * i + 1]!, positions[4 * i + 2]!);
    if (!Number.isFinite(point.x + point.y + point.z)) {
      nowhere++;
      continue;
    }
    low.min(point);
    high.max(point);
  }
  for (const corner of corners) {
    low.min(point.fromArray(corner));
    high.max(point);
  }
  if (low.x > high.x) return nowhere;
  sphere.centre.copy(low).add(high).multiplyScalar(0.5);
  sphere.radius = low.distanceTo(high) / 2 + 1.2;
  return nowhere;
}

const MUCH_LARGER = 1.5;

/** Whether a sphere differs so much from the one that the camera was fitted to that the camera has to be fitted again. */
export function differsMuch(fitted: BoundingSphere, now: BoundingSphere): boolean {
  const ratio = now.radius / fitted.radius;
  return (
    ratio > MUCH_LARGER ||
    ratio < 1 / MUCH_LARGER ||
    fitted.centre.distanceTo(now.centre) > Math.max(fitted.radius, now.radius)
  );
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
