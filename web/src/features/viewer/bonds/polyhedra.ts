/** Coordination polyhedra: the hull of the anions around a cation. */
import { isMetal } from "@/lib/atoms/metals";
import { CYLINDER_STRIDE } from "./bondCylinders";
import { unpackShift } from "./findBonds";

export type Vertex = readonly [number, number, number];

export interface Polyhedron {
  readonly centre: number;
  /** Nine numbers for each triangle. */
  readonly triangles: readonly number[];
}

interface Atoms {
  readonly numbers: ArrayLike<number>;
  readonly positions: ArrayLike<number>;
  readonly cell: ArrayLike<number> | null;
}

const FEWEST_NEIGHBOURS = 4;
/** Larger shells, as around strontium in a perovskite, would hide the octahedra that chemists look for. */
const MOST_NEIGHBOURS = 8;
const MOST_POLYHEDRA = 5_000;
const HALF = 1 << 30;
/** Elements beside the metals that stand in the middle: B, Si, P, S, Ge, As, Se. */
const CENTRES = new Set([5, 14, 15, 16, 32, 33, 34]);
/** N, O, F, S, Cl, Se, Br, I. */
const LIGANDS = new Set([7, 8, 9, 16, 17, 34, 35, 53]);

/** The polyhedra of a structure whose bonds are known (see `bondCylinders`). */
export function polyhedra(atoms: Atoms, cylinders: Int32Array): Polyhedron[] {
  const found: Polyhedron[] = [];
  for (const [centre, corners] of neighbours(atoms, cylinders)) {
    if (corners.length < FEWEST_NEIGHBOURS || corners.length > MOST_NEIGHBOURS) continue;
    const triangles = hullTriangles(corners);
    if (triangles.length) found.push({ centre, triangles });
    if (found.length === MOST_POLYHEDRA) break;
  }
  return found;
}

/** The places of the ligands around each centre, also those beyond a face of the cell. */
function neighbours({ numbers, positions, cell }: Atoms, cylinders: Int32Array): Map<number, Vertex[]> {
  const found = new Map<number, Vertex[]>();
  const seen = new Set<string>();
  const add = (from: number, to: number, shift: number) => {
    const [centre, ligand] = [numbers[from]!, numbers[to]!];
    if (!(isMetal(centre) || CENTRES.has(centre)) || !LIGANDS.has(ligand) || centre === ligand) return;
    // The strands of a double bond are one bond.
    const bond = `${from},${to},${shift}`;
    if (seen.has(bond)) return;
    seen.add(bond);
    const [a, b, c] = unpackShift(shift);
    const corner = [0, 1, 2].map(
      (part) =>
        positions[3 * to + part]! + (cell ? a * cell[part]! + b * cell[3 + part]! + c * cell[6 + part]! : 0),
    ) as unknown as Vertex;
    const corners = found.get(from);
    if (corners) corners.push(corner);
    else found.set(from, [corner]);
  };
  for (let at = 0; at < cylinders.length; at += CYLINDER_STRIDE) {
    const [i, j, packed] = [cylinders[at]!, cylinders[at + 1]!, cylinders[at + 2]!];
    const shift = packed & ~HALF;
    add(i, j, shift);
    // A bond through a face is there from both of its ends.
    if ((packed & HALF) === 0) add(j, i, shift);
  }
  return found;
}

/** The triangles of the convex hull of a few points. A face with more than three corners is divided once. */
export function hullTriangles(points: readonly Vertex[]): number[] {
  const size = Math.max(...points.map((point) => Math.hypot(...minus(point, points[0]!))), 1e-9);
  const triangles: number[] = [];
  const faces = new Set<string>();
  for (let i = 0; i < points.length; i++)
    for (let j = i + 1; j < points.length; j++)
      for (let k = j + 1; k < points.length; k++) {
        const normal = cross(minus(points[j]!, points[i]!), minus(points[k]!, points[i]!));
        const length = Math.hypot(...normal);
        if (length < 1e-6 * size * size) continue;
        const heights = points.map((point) => dot(minus(point, points[i]!), normal) / length);
        const slack = 1e-3 * size;
        if (heights.some((height) => height > slack) && heights.some((height) => height < -slack)) continue;
        const face = [...points.keys()].filter((at) => Math.abs(heights[at]!) <= slack);
        // All points in one plane are no body.
        if (face.length === points.length || faces.has(face.join())) continue;
        faces.add(face.join());
        const ring = around(face, points, normal);
        for (let at = 1; at + 1 < ring.length; at++)
          triangles.push(...points[ring[0]!]!, ...points[ring[at]!]!, ...points[ring[at + 1]!]!);
      }
  return triangles;
}

/** The corners of a face in the order in which one walks round it. */
function around(face: readonly number[], points: readonly Vertex[], normal: Vertex): number[] {
  const middle = [0, 1, 2].map(
    (part) => face.reduce((sum, at) => sum + points[at]![part]!, 0) / face.length,
  ) as unknown as Vertex;
  const across = minus(points[face[0]!]!, middle);
  const up = cross(normal, across);
  const scale = Math.hypot(...across) / Math.max(Math.hypot(...up), 1e-12);
  const angle = (at: number) => {
    const from = minus(points[at]!, middle);
    return Math.atan2(dot(from, up) * scale, dot(from, across));
  };
  return [...face].sort((a, b) => angle(a) - angle(b));
}

function minus(one: Vertex, other: Vertex): Vertex {
  return [one[0] - other[0], one[1] - other[1], one[2] - other[2]];
}

function dot(one: Vertex, other: Vertex): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

function cross(one: Vertex, other: Vertex): Vertex {
  return [
    one[1] * other[2] - one[2] * other[1],
    one[2] * other[0] - one[0] * other[2],
    one[0] * other[1] - one[1] * other[0],
  ];
}
