// A curve through points, as cylinders, with spheres at the points.
import { CatmullRomCurve3, Vector3 } from "three";
import type { Cylinder, Point } from "../stage/layers/cylinders";
import type { Stage } from "../stage/stage";
import { cylinders, GREY, type SceneObject, spheres } from "./shapes";
import { type Geometry, numberOr, textOrNull } from "./splitGeometries";

const HANDLE = 2.2;

export function curveObjects(stage: Stage, points: readonly Point[], data: Geometry["data"]): SceneObject[] {
  if (points.length === 0) return [];
  const colour = textOrNull(data.color) ?? GREY;
  const handles =
    data.handles === false
      ? []
      : [spheres(stage, points, HANDLE * 0.05 * numberOr(data.thickness, 2), colour)];
  if (points.length < 2) return handles;
  const through = points.map((point) => new Vector3(...point));
  const closed = data.closed === true;
  const pieces = data.smooth === false ? 1 : numberOr(data.divisions, 20);
  const path =
    data.smooth === false
      ? closed
        ? [...through, through[0]!]
        : through
      : new CatmullRomCurve3(through, closed).getPoints(pieces * (points.length - (closed ? 0 : 1)));
  const rods: Cylinder[] = [];
  for (let at = 1; at < path.length; at++)
    rods.push({
      from: path[at - 1]!.toArray(),
      to: path[at]!.toArray(),
      radius: 0.03 * numberOr(data.thickness, 2),
      colour,
    });
  return [cylinders(stage, rods), ...handles];
}
