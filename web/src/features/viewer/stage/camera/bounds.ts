// The extent of what is drawn: for the depth range of the camera, and to fit everything into the view.
import { Vector3 } from "three";
import { type AtomTextures, VISIBLE } from "../layers/atomTextures";

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
  offsets: readonly Corner[] = [],
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
  const [first, last] = [low.clone(), high.clone()];
  for (const offset of offsets) {
    low.min(point.fromArray(offset).add(first));
    high.max(point.fromArray(offset).add(last));
  }
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

/** The visible atoms and the cell corners, with their periodic images, as points of four numbers each. */
export function pointsToFit(
  atoms: AtomTextures,
  corners: readonly Corner[],
  offsets: readonly Corner[] = [[0, 0, 0]],
): Float32Array {
  const { positions, colours, count } = atoms;
  const points = new Float32Array(4 * (count + corners.length));
  let used = 0;
  for (let i = 0; i < count; i++) {
    if ((colours[4 * i + 3]! & VISIBLE) === 0) continue;
    points[used] = positions[4 * i]!;
    points[used + 1] = positions[4 * i + 1]!;
    points[used + 2] = positions[4 * i + 2]!;
    used += 4;
  }
  for (const corner of corners) {
    points.set(corner, used);
    used += 4;
  }
  const one = points.subarray(0, used);
  const all = new Float32Array(one.length * offsets.length);
  offsets.forEach(([x, y, z], image) => {
    for (let at = 0; at < one.length; at += 4) {
      all[image * one.length + at] = one[at]! + x;
      all[image * one.length + at + 1] = one[at + 1]! + y;
      all[image * one.length + at + 2] = one[at + 2]! + z;
    }
  });
  return all;
}
