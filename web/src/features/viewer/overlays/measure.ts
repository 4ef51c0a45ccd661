/** Distance, angle and dihedral of two, three and four atoms. */
import { type Cell, minimumImage } from "@/lib/atoms/unitCell";

export type Point = readonly [number, number, number];

export interface Measurement {
  readonly kind: "distance" | "angle" | "dihedral";
  readonly value: number;
  readonly text: string;
}

/** The points, each replaced by its periodic image that is nearest to the point before it. */
export function nearestImages(points: readonly Point[], cell: Cell): Point[] {
  const found: Point[] = [];
  for (const [at, point] of points.entries()) {
    const before = found.at(-1);
    if (!before) found.push(point);
    else found.push(plus(before, minimumImage(cell, minus(point, points[at - 1]!))));
  }
  return found;
}

/** The measurement of the given points in order; null for any other number of points. */
export function measure(points: readonly Point[]): Measurement | null {
  if (points.length === 2) {
    const value = size(minus(points[1]!, points[0]!));
    return { kind: "distance", value, text: `${value.toFixed(3)} Å` };
  }
  if (points.length === 3) {
    const value = degrees(between(minus(points[0]!, points[1]!), minus(points[2]!, points[1]!)));
    return { kind: "angle", value, text: `${value.toFixed(1)}°` };
  }
  if (points.length === 4) {
    const value = dihedral(points as readonly [Point, Point, Point, Point]);
    return { kind: "dihedral", value, text: `${value.toFixed(1)}°` };
  }
  return null;
}

function dihedral([a, b, c, d]: readonly [Point, Point, Point, Point]): number {
  const [u, v, w] = [minus(b, a), minus(c, b), minus(d, c)];
  const [left, right] = [cross(u, v), cross(v, w)];
  return degrees(Math.atan2(size(v) * dot(u, right), dot(left, right)));
}

function between(one: Point, other: Point): number {
  return Math.atan2(size(cross(one, other)), dot(one, other));
}

function degrees(angle: number): number {
  return (angle * 180) / Math.PI;
}

function minus(one: Point, other: Point): Point {
  return [one[0] - other[0], one[1] - other[1], one[2] - other[2]];
}

function plus(one: Point, other: Point): Point {
  return [one[0] + other[0], one[1] + other[1], one[2] + other[2]];
}

function dot(one: Point, other: Point): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

function cross(one: Point, other: Point): Point {
  return [
    one[1] * other[2] - one[2] * other[1],
    one[2] * other[0] - one[0] * other[2],
    one[0] * other[1] - one[1] * other[0],
  ];
}

function size(one: Point): number {
  return Math.hypot(one[0], one[1], one[2]);
}
