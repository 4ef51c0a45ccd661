/** Geometries that people add, with values that fit the structure: they are seen at once. */
import { type Structure, vectorsOf } from "@/lib/atoms/structure";
import { hasVolume } from "@/lib/atoms/unitCell";
import { asFloats, type Frame, isNumeric } from "@/lib/frames";
import { type Geometry, POSITIONS } from "../scene/splitGeometries";
import type { Point } from "../stage/layers/cylinders";

export type NewKind = "box" | "sphere" | "plane" | "arrows" | "isosurface";

export const NEW_KINDS: readonly { readonly kind: NewKind; readonly label: string }[] = [
  { kind: "box", label: "Box" },
  { kind: "sphere", label: "Sphere" },
  { kind: "plane", label: "Plane" },
  { kind: "arrows", label: "Arrows" },
  { kind: "isosurface", label: "Isosurface" },
];

const FORCES = "calc.forces";
const MOST_OF_ISOVALUE = 0.2;

/** Values on a grid that fills the cell. */
export function volumeKeys(frame: Frame): string[] {
  return [...frame]
    .filter(([, value]) => isNumeric(value) && value.shape.length === 3 && Math.min(...value.shape) > 1)
    .map(([key]) => key)
    .sort();
}

export function newGeometry(kind: NewKind, structure: Structure): Geometry {
  const { centre, size } = extentOf(structure);
  const longest = Math.max(...size);
  switch (kind) {
    case "box":
      return { type: "box", data: { position: [centre], size, opacity: 0.25 } };
    case "sphere":
      return {
        type: "spheres",
        data: { position: [centre], radius: rounded(longest / 4), scale: 1, color: "#8e24aa" },
      };
    case "plane":
      return { type: "plane", data: { position: centre, normal: [0, 0, 1], size: [size[0], size[1]] } };
    case "arrows":
      return vectorsOf(structure, FORCES)
        ? { type: "arrows", data: { position: POSITIONS, direction: FORCES } }
        : {
            type: "arrows",
            data: { position: [centre], direction: [[0, 0, rounded(longest / 2)]], radius: 0.15 },
          };
    case "isosurface": {
      const [grid = "info.density"] = volumeKeys(structure.frame);
      return { type: "isosurface", data: { grid, isovalue: isovalueOf(structure.frame, grid) } };
    }
  }
}

/** The middle of the cell or of the atoms, and how far they reach; never less than 2 Å. */
function extentOf({ cell, positions, count }: Structure): { centre: Point; size: Point } {
  const low = [0, 0, 0].map(() => Number.POSITIVE_INFINITY);
  const high = [0, 0, 0].map(() => Number.NEGATIVE_INFINITY);
  const reach = (point: readonly number[]) => {
    if (!point.every(Number.isFinite)) return;
    point.forEach((part, axis) => {
      low[axis] = Math.min(low[axis]!, part);
      high[axis] = Math.max(high[axis]!, part);
    });
  };
  for (let atom = 0; atom < count; atom++)
    reach([positions[3 * atom]!, positions[3 * atom + 1]!, positions[3 * atom + 2]!]);
  if (hasVolume(cell))
    for (let corner = 0; corner < 8; corner++)
      reach(
        [0, 1, 2].map((part) =>
          [0, 1, 2].reduce((sum, row) => sum + ((corner >> row) & 1) * cell[3 * row + part]!, 0),
        ),
      );
  if (!(low[0]! <= high[0]!)) return { centre: [0, 0, 0], size: [4, 4, 4] };
  const each = (make: (axis: number) => number) =>
    [0, 1, 2].map((axis) => rounded(make(axis))) as unknown as Point;
  return {
    centre: each((axis) => (low[axis]! + high[axis]!) / 2),
    size: each((axis) => Math.max(2, high[axis]! - low[axis]!)),
  };
}

/** A share of the largest value, which a surface of a density or an orbital is seen at. */
function isovalueOf(frame: Frame, key: string): number {
  const array = frame.get(key);
  if (!isNumeric(array)) return 0.05;
  let largest = 0;
  for (const value of asFloats(array))
    if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  return largest > 0 ? Number((MOST_OF_ISOVALUE * largest).toPrecision(2)) : 0.05;
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}
