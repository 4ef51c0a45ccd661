/** Geometries that are made of points: curves, and spheres at given places. */
import type { Geometry } from "../scene/splitGeometries";
import type { Point } from "../stage/layers/cylinders";

export type ShapeKind = "curve" | "points";

export interface Shape {
  readonly kind: ShapeKind;
  readonly points: readonly Point[];
  readonly data: Geometry["data"];
}

/** Of points that are drawn: small spheres of one colour. */
const DRAWN_POINTS = { radius: 0.25, scale: 1, color: "#8e24aa" };
const MOST_POINTS = 10_000;
const FEWEST_POINTS: Record<ShapeKind, number> = { curve: 2, points: 1 };

/** The shape of a geometry whose points can be edited; null for others. */
export function shapeOf({ type, data }: Geometry): Shape | null {
  const points = type === "curve" ? data.points : type === "spheres" ? data.position : null;
  if (!Array.isArray(points) || !points.every((one) => Array.isArray(one) && one.length === 3)) return null;
  return { kind: type === "curve" ? "curve" : "points", points: points as Point[], data };
}

export function geometryOf({ kind, points, data }: Shape): Geometry {
  if (kind === "curve") return { type: "curve", data: { ...data, points } };
  return { type: "spheres", data: { ...DRAWN_POINTS, ...data, position: points } };
}

/** The first name that no geometry has: curve, curve-2, curve-3. */
export function freeKey(taken: Iterable<string>, kind: string): string {
  const known = new Set(taken);
  if (!known.has(kind)) return kind;
  for (let number = 2; ; number++) if (!known.has(`${kind}-${number}`)) return `${kind}-${number}`;
}

/** Why a shape cannot be written; null if it can. */
export function shapeRefusal({ kind, points }: Pick<Shape, "kind" | "points">): string | null {
  const fewest = FEWEST_POINTS[kind];
  if (points.length < fewest) return kind === "curve" ? "A curve needs two points." : "Place a point first.";
  if (points.length > MOST_POINTS)
    return `A geometry has at most ${MOST_POINTS.toLocaleString("en")} points.`;
  return null;
}

/** Why a geometry cannot have a name; null if it can. */
export function keyRefusal(key: string, taken: Iterable<string>): string | null {
  if (key.length < 1 || key.length > 200) return "Give it a name of 1 to 200 characters.";
  if (key.includes("/") || key === "." || key === ".." || key === "schemas") return "Use another name.";
  return new Set(taken).has(key) ? "The room has a geometry of this name." : null;
}

/** The points after an edit that was made of `seen`. Throws if the geometry is another one now. */
export function editedPoints(
  now: Geometry | null,
  seen: readonly Point[],
  points: readonly Point[],
): Geometry {
  const shape = now && shapeOf(now);
  if (!shape) throw new Error("The geometry was removed in the meantime.");
  if (JSON.stringify(shape.points) !== JSON.stringify(seen))
    throw new Error("The points were changed in the meantime. Look at them, and edit again.");
  return geometryOf({ ...shape, points });
}

/** Which place is nearest to another one and within reach; −1 if none is. */
export function nearestPlace(
  places: readonly ({ x: number; y: number } | null)[],
  at: { x: number; y: number },
  reach: number,
): number {
  let nearest = -1;
  let least = reach;
  for (const [index, place] of places.entries()) {
    const distance = place ? Math.hypot(place.x - at.x, place.y - at.y) : Number.POSITIVE_INFINITY;
    if (distance <= least) [nearest, least] = [index, distance];
  }
  return nearest;
}
