// Coordination polyhedra as translucent surfaces in the colours of their central atoms.
import { BufferAttribute, BufferGeometry, Group, Mesh } from "three";
import { element } from "@/lib/atoms/elements";
import type { Structure } from "@/lib/atoms/structure";
import { polyhedra } from "../../bonds/polyhedra";
import { type Offset, replicate } from "../periodicImages";
import { type AtomTextures, VISIBLE } from "./atomTextures";
import { disposeMesh, type ImpostorMesh } from "./impostorQuads";
import type { SharedUniforms } from "./materials";
import { surfaceMaterial } from "./surfaceMaterial";

const OPACITY = 0.5;
/** Of larger structures they are not drawn: the search for hulls would delay every frame. */
const MOST_ATOMS = 20_000;

export class PolyhedronLayer {
  readonly group = new Group();
  private meshes: ImpostorMesh[] = [];

  constructor(private readonly shared: SharedUniforms) {}

  /** The polyhedra of visible atoms; none without bonds. */
  show(
    structure: Structure | null,
    cylinders: Int32Array | null,
    atoms: AtomTextures,
    offsets: readonly Offset[],
  ): void {
    this.clear();
    if (!structure || !cylinders || structure.count > MOST_ATOMS) return;
    const byElement = new Map<number, number[]>();
    for (const { centre, triangles } of polyhedra(structure, cylinders)) {
      if ((atoms.colours[4 * centre + 3]! & VISIBLE) === 0) continue;
      const number = structure.numbers[centre]!;
      const known = byElement.get(number);
      if (known) for (const value of triangles) known.push(value);
      else byElement.set(number, [...triangles]);
    }
    for (const [number, triangles] of byElement) {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(Float32Array.from(triangles), 3));
      geometry.computeVertexNormals();
      const mesh: ImpostorMesh = new Mesh(
        geometry,
        surfaceMaterial(this.shared, element(number).colour, OPACITY),
      );
      mesh.frustumCulled = false;
      mesh.matrixAutoUpdate = false;
      replicate(mesh, offsets);
      this.group.add(mesh);
      this.meshes.push(mesh);
    }
  }

  dispose(): void {
    this.clear();
  }

  private clear(): void {
    for (const mesh of this.meshes) {
      mesh.removeFromParent();
      disposeMesh(mesh);
    }
    this.meshes = [];
  }
}
