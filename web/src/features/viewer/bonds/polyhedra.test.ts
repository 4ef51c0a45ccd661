import { expect, test } from "vitest";
import { bondCylinders } from "./bondCylinders";
import { findBonds } from "./findBonds";
import { hullTriangles, polyhedra, type Vertex } from "./polyhedra";

const OCTAHEDRON: Vertex[] = [
  [2, 0, 0],
  [-2, 0, 0],
  [0, 2, 0],
  [0, -2, 0],
  [0, 0, 2],
  [0, 0, -2],
];
const CUBE = [0, 1, 2, 3, 4, 5, 6, 7].map((n): Vertex => [n & 1, (n >> 1) & 1, n >> 2]);

function area(triangles: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < triangles.length; at += 9) {
    const [a, b, c] = [0, 3, 6].map((corner) => triangles.slice(at + corner, at + corner + 3));
    const u = b!.map((part, axis) => part - a![axis]!);
    const v = c!.map((part, axis) => part - a![axis]!);
    sum +=
      Math.hypot(
        u[1]! * v[2]! - u[2]! * v[1]!,
        u[2]! * v[0]! - u[0]! * v[2]!,
        u[0]! * v[1]! - u[1]! * v[0]!,
      ) / 2;
  }
  return sum;
}

test("hulls have each face once", () => {
  expect(hullTriangles(OCTAHEDRON).length / 9).toBe(8);
  expect(area(hullTriangles(OCTAHEDRON))).toBeCloseTo(8 * Math.sqrt(3) * 2);
  // Six square faces, two triangles each.
  expect(hullTriangles(CUBE).length / 9).toBe(12);
  expect(area(hullTriangles(CUBE))).toBeCloseTo(6);
});

test("points in one plane or on a line have no hull", () => {
  expect(hullTriangles(CUBE.slice(0, 4))).toEqual([]);
  expect(
    hullTriangles([
      [0, 0, 0],
      [1, 0, 0],
      [2, 0, 0],
      [3, 0, 0],
    ]),
  ).toEqual([]);
});

test("a cation has a polyhedron of its anions, also through the faces of the cell", () => {
  // Magnesium oxide: each atom has six neighbours, most of them in other cells.
  const edge = 4.2;
  const places = [
    [0, 0, 0],
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ];
  const structure = {
    numbers: [12, 12, 12, 12, 8, 8, 8, 8],
    positions: [...places, ...places.map(([x, y, z]) => [x! + 0.5, y!, z!])].flat().map((x) => x * edge),
    cell: [edge, 0, 0, 0, edge, 0, 0, 0, edge],
    pbc: [true, true, true],
  };
  const bonds = findBonds({ ...structure, tolerance: 1.2, metals: false });
  const found = polyhedra(structure, bondCylinders(bonds));
  expect(found.map(({ centre }) => centre).sort()).toEqual([0, 1, 2, 3]);
  for (const { triangles } of found) {
    expect(triangles.length / 9).toBe(8);
    expect(area(triangles)).toBeCloseTo(2 * Math.sqrt(3) * (edge / Math.SQRT2) ** 2, 3);
  }
});

test("a shell of twelve neighbours is not filled", () => {
  const directions = [
    [1, 1, 0],
    [1, -1, 0],
    [1, 0, 1],
    [1, 0, -1],
    [0, 1, 1],
    [0, 1, -1],
  ];
  const shell = directions
    .flatMap((way) => [way, way.map((part) => -part)])
    .map((way) => way.map((x) => 1.9 * x));
  const structure = {
    numbers: [38, ...shell.map(() => 8)],
    positions: [[0, 0, 0], ...shell].flat(),
    cell: null,
    pbc: null,
  };
  const bonds = findBonds({ ...structure, tolerance: 1.2 });
  expect(bonds.length / 3).toBe(12);
  expect(polyhedra(structure, bondCylinders(bonds))).toEqual([]);
});

test("a molecule of water has none", () => {
  const water = { numbers: [8, 1, 1], positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], cell: null, pbc: null };
  expect(polyhedra(water, bondCylinders(findBonds({ ...water, tolerance: 1.2 })))).toEqual([]);
});
