// What all impostors share: patches of four corners, and the atoms' textures.
//
// Patches are not instances: where the processor draws, every instance costs as much as a draw of its own. The corners
// are numbered through instead, and a shader knows from its number which shape and which corner it is at.
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
      // A new index in an old geometry would leave the old buffer behind.
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

/** Nothing is culled by three: where atoms are is known to the textures only. */
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
