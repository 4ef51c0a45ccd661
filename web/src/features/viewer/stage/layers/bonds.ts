// Bonds as cylinders between atom texels: bonds follow moving atoms without an update.
import { DataTexture, IntType, Matrix3, NearestFilter, RGBAIntegerFormat } from "three";
import { CYLINDER_STRIDE } from "../../bonds/bondCylinders";
import { BOND_THICKNESS } from "../appearance/style";
import { BOND_VERTEX, CYLINDER_FRAGMENT } from "../shaders/cylinder";
import type { AtomTextures } from "./atomTextures";
import {
  atomUniforms,
  bindAtomTextures,
  disposeMesh,
  type ImpostorMesh,
  ImpostorQuads,
  impostorMesh,
} from "./impostorQuads";
import { createMaterial, type SharedUniforms } from "./materials";

const WIDTH = 1024;

export class BondLayer {
  readonly mesh: ImpostorMesh;
  private readonly patches = new ImpostorQuads();
  private texture = integerTexture(1);
  private count = 0;
  private readonly uniforms = {
    ...atomUniforms(),
    bonds: { value: this.texture },
    cell: { value: new Matrix3() },
    thickness: { value: BOND_THICKNESS },
    longest: { value: 1e9 },
  };
  /** The number of atoms of the structure that the bonds belong to; bonds of another structure are not drawn. */
  private atomCount = 0;

  constructor(shared: SharedUniforms) {
    const shaders = { vertexShader: BOND_VERTEX, fragmentShader: CYLINDER_FRAGMENT };
    this.mesh = impostorMesh(this.patches, createMaterial(shared, shaders, this.uniforms));
  }

  setBonds(cylinders: Int32Array<ArrayBuffer>, atoms: number, longest: number): void {
    const count = cylinders.length / CYLINDER_STRIDE;
    (this.ensureCapacity(count).image.data as unknown as Int32Array).set(cylinders);
    this.texture.needsUpdate = true;
    this.patches.count = count;
    this.count = count;
    this.atomCount = atoms;
    this.uniforms.longest.value = longest;
  }

  show(atoms: AtomTextures, cell: ArrayLike<number> | null, visible: boolean): void {
    bindAtomTextures(this.uniforms, atoms);
    const c = (at: number): number => cell?.[at] ?? 0;
    this.uniforms.cell.value.set(c(0), c(3), c(6), c(1), c(4), c(7), c(2), c(5), c(8));
    this.mesh.visible = visible && this.atomCount === atoms.count && this.count > 0;
  }

  /** Whether the bonds are those of a structure with so many atoms. */
  isOf(atoms: number): boolean {
    return this.atomCount === atoms;
  }

  set thickness(thickness: number) {
    this.uniforms.thickness.value = thickness;
  }

  dispose(): void {
    this.texture.dispose();
    disposeMesh(this.mesh);
  }

  /** Playback changes few bonds at a time, so the texture is reused unless it is too small or far too large. */
  private ensureCapacity(count: number): DataTexture {
    const texels = this.texture.image.width * this.texture.image.height;
    if (texels < count || texels > 8 * count + 4 * WIDTH) {
      this.texture.dispose();
      this.texture = integerTexture(Math.max(1, Math.ceil((count * 1.25) / WIDTH)));
      this.uniforms.bonds.value = this.texture;
    }
    return this.texture;
  }
}

function integerTexture(height: number): DataTexture {
  const texels = new Int32Array(4 * WIDTH * height);
  const texture = new DataTexture(texels, WIDTH, height, RGBAIntegerFormat, IntType);
  texture.internalFormat = "RGBA32I";
  texture.minFilter = NearestFilter;
  texture.magFilter = NearestFilter;
  return texture;
}
