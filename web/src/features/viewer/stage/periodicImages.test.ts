import { Mesh } from "three";
import { expect, test } from "vitest";
import type { ImpostorMesh } from "./layers/impostorQuads";
import { replicaOffsets, replicate } from "./periodicImages";

const CELL = [4, 0, 0, 1, 5, 0, 0, 0, 6];

test("images are drawn along the vectors of the cell, the structure itself first", () => {
  expect(replicaOffsets(CELL, [2, 2, 1], 10)).toEqual([
    [0, 0, 0],
    [1, 5, 0],
    [4, 0, 0],
    [5, 5, 0],
  ]);
});

test("without a cell there is one image", () => {
  expect(replicaOffsets(null, [3, 3, 3], 10)).toEqual([[0, 0, 0]]);
});

test("a large structure has fewer images than asked for", () => {
  expect(replicaOffsets(CELL, [9, 9, 9], 100_000).length).toBeLessThanOrEqual(20);
  expect(replicaOffsets(CELL, [9, 1, 1], 3_000_000).length).toBe(1);
});

test("a mesh has as many images as offsets, and loses them again", () => {
  const mesh = new Mesh() as unknown as ImpostorMesh;
  replicate(mesh, replicaOffsets(CELL, [3, 1, 1], 1));
  expect(mesh.children.map(({ matrixWorld }) => matrixWorld.elements[12])).toEqual([4, 8]);
  replicate(mesh, replicaOffsets(CELL, [1, 1, 1], 1));
  expect(mesh.children).toEqual([]);
});
