// Meshes of scene objects: spheres, cylinders, solids, and the edges of a box.
import { type BufferGeometry, type Matrix4, Mesh, type Object3D, Vector3 } from "three";
import { AtomTextures, VISIBLE } from "../stage/layers/atomTextures";
import { type Cylinder, CylinderLayer, type Point } from "../stage/layers/cylinders";
import { shaderColour } from "../stage/layers/materials";
import { SphereLayer } from "../stage/layers/spheres";
import { surfaceMaterial } from "../stage/layers/surfaceMaterial";
import type { Stage } from "../stage/stage";

export interface SceneObject {
  readonly object: Object3D;
  dispose(): void;
}

export const GREY = "#9e9e9e";

export function sceneObject(object: Object3D, ...parts: { dispose(): void }[]): SceneObject {
  return { object, dispose: () => parts.forEach((part) => void part.dispose()) };
}

/** Points as atom textures, which the layers for spheres and arrows read. */
export function atomTextures(points: readonly Point[], radius: number, colour: string): AtomTextures {
  const atoms = new AtomTextures();
  atoms.resize(points.length);
  atoms.setPositions(Float32Array.from(points.flat()));
  atoms.setRadii(() => radius);
  const { r, g, b } = shaderColour(colour);
  for (let i = 0; i < points.length; i++) atoms.colours.set([r * 255, g * 255, b * 255, VISIBLE], 4 * i);
  atoms.coloursChanged();
  return atoms;
}

export function spheres(stage: Stage, points: readonly Point[], radius: number, colour: string): SceneObject {
  const atoms = atomTextures(points, radius, colour);
  const layer = new SphereLayer(stage.shared, !stage.software);
  layer.show(atoms);
  return sceneObject(layer.mesh, layer, atoms);
}

export function cylinders(stage: Stage, items: readonly Cylinder[]): SceneObject {
  const layer = new CylinderLayer(stage.shared);
  layer.set(items);
  return sceneObject(layer.mesh, layer);
}

export function solid(
  stage: Stage,
  geometry: BufferGeometry,
  matrix: Matrix4,
  colour: string,
  opacity: number,
): SceneObject {
  const material = surfaceMaterial(stage.shared, colour, opacity);
  const mesh = new Mesh(geometry, material);
  mesh.matrixAutoUpdate = false;
  mesh.matrix.copy(matrix);
  mesh.updateMatrixWorld(true);
  return sceneObject(mesh, geometry, material);
}

/** The twelve edges of a unit cube after a transformation. */
export function boxEdges(matrix: Matrix4, colour: string): Cylinder[] {
  const edges: Cylinder[] = [];
  for (let axis = 0; axis < 3; axis++)
    for (let edge = 0; edge < 4; edge++) {
      const at = [0, 0, 0];
      at[(axis + 1) % 3] = (edge & 1) - 0.5;
      at[(axis + 2) % 3] = (edge >> 1) - 0.5;
      const ends = [-0.5, 0.5].map((place) => {
        at[axis] = place;
        return new Vector3().fromArray(at).applyMatrix4(matrix).toArray();
      });
      edges.push({ from: ends[0]!, to: ends[1]!, radius: 0.02, colour });
    }
  return edges;
}

/** Fractional coordinates as positions in a cell. */
export function inCell(
  fractions: Float32Array<ArrayBuffer>,
  cell: ArrayLike<number>,
): Float32Array<ArrayBuffer> {
  const positions = new Float32Array(fractions.length);
  for (let at = 0; at < fractions.length; at += 3)
    for (let part = 0; part < 3; part++)
      positions[at + part] =
        fractions[at]! * cell[part]! +
        fractions[at + 1]! * cell[3 + part]! +
        fractions[at + 2]! * cell[6 + part]!;
  return positions;
}
