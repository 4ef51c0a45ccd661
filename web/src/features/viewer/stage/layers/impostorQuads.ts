// Quads on which shaders draw spheres and cylinders (impostors), and the uniforms for the atom textures.
//
// The quads are not instanced, because software renderers spend as much on an instance as on a draw call. The vertices are
// numbered instead, and a shader derives shape and corner from the vertex number.
import {
  BufferGeometry,
  type IUniform,
  Mesh,
  type RawShaderMaterial,
  type Texture,
  Uint32BufferAttribute,
} from "three";
import type { AtomTextures } from "./atomTextures";

export type ImpostorMesh = Mesh<BufferGeometry, RawShaderMaterial>;

export class ImpostorQuads extends BufferGeometry {
  private capacity = 0;

  set count(count: number) {
    if (count > this.capacity || count < this.capacity / 8) {
      this.capacity = Math.ceil(count * 1.25) + 8;
      // Without disposal, replacing the index of a geometry leaks the old buffer.
      this.dispose();
      this.setIndex(new Uint32BufferAttribute(triangles(this.capacity), 1));
    }
    this.setDrawRange(0, 6 * count);
  }
}

function triangles(patches: number): Uint32Array {
  const index = new Uint32Array(6 * patches);
  for (let at = 0, corner = 0; at < index.length; at += 6, corner += 4) {
    index[at] = corner;
    index[at + 1] = corner + 1;
    index[at + 2] = corner + 2;
    index[at + 3] = corner;
    index[at + 4] = corner + 2;
    index[at + 5] = corner + 3;
  }
  return index;
}

/** Frustum culling is off, because only the textures know the positions of the atoms. */
export function impostorMesh(geometry: BufferGeometry, material: RawShaderMaterial): ImpostorMesh {
  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false;
  mesh.matrixAutoUpdate = false;
  mesh.visible = false;
  return mesh;
}

export function atomUniforms() {
  return {
    atoms: { value: null } as IUniform<Texture | null>,
    looks: { value: null } as IUniform<Texture | null>,
  };
}

export function bindAtomTextures(uniforms: ReturnType<typeof atomUniforms>, atoms: AtomTextures): void {
  uniforms.atoms.value = atoms.positionTexture;
  uniforms.looks.value = atoms.colourTexture;
}

export function disposeMesh(mesh: ImpostorMesh): void {
  mesh.geometry.dispose();
  mesh.material.dispose();
}
