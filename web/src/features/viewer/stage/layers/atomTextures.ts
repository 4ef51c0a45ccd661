/** The atoms on the graphics card: two textures with one texel for each atom. */
import { DataTexture, FloatType, NearestFilter, RGBAFormat, UnsignedByteType } from "three";

const WIDTH = 1024;

export const VISIBLE = 1;
export const SELECTED = 2;
export const HOVERED = 4;
/** A constraint keeps the atom in place. */
export const FIXED = 8;
// The other four bits of the marks: how translucent the atom is, 0 for opaque.

export class AtomTextures {
  count = 0;
  /** x, y, z, radius of each atom. */
  positions = new Float32Array(4);
  /** Red, green, blue, marks of each atom. */
  colours = new Uint8Array(4);
  positionTexture = floatTexture(this.positions, 1, 1);
  colourTexture = byteTexture(this.colours, 1, 1);

  /** Resize to a number of atoms; a change of the number discards the content. */
  resize(count: number): void {
    if (count === this.count) return;
    this.count = count;
    const width = Math.min(WIDTH, Math.max(1, count));
    const height = Math.max(1, Math.ceil(count / width));
    if (width * height * 4 === this.positions.length) return;
    this.dispose();
    this.positions = new Float32Array(4 * width * height);
    this.colours = new Uint8Array(4 * width * height);
    this.positionTexture = floatTexture(this.positions, width, height);
    this.colourTexture = byteTexture(this.colours, width, height);
  }

  setPositions(xyz: ArrayLike<number>): void {
    const { positions, count } = this;
    for (let i = 0; i < count; i++) {
      positions[4 * i] = xyz[3 * i]!;
      positions[4 * i + 1] = xyz[3 * i + 1]!;
      positions[4 * i + 2] = xyz[3 * i + 2]!;
    }
    this.positionTexture.needsUpdate = true;
  }

  setRadii(radius: (atom: number) => number): void {
    for (let i = 0; i < this.count; i++) this.positions[4 * i + 3] = radius(i);
    this.positionTexture.needsUpdate = true;
  }

  coloursChanged(): void {
    this.colourTexture.needsUpdate = true;
  }

  dispose(): void {
    this.positionTexture.dispose();
    this.colourTexture.dispose();
  }
}

export function floatTexture(data: Float32Array<ArrayBuffer>, width: number, height: number): DataTexture {
  return unfiltered(new DataTexture(data, width, height, RGBAFormat, FloatType));
}

function byteTexture(data: Uint8Array<ArrayBuffer>, width: number, height: number): DataTexture {
  return unfiltered(new DataTexture(data, width, height, RGBAFormat, UnsignedByteType));
}

function unfiltered(texture: DataTexture): DataTexture {
  texture.minFilter = NearestFilter;
  texture.magFilter = NearestFilter;
  texture.generateMipmaps = false;
  texture.needsUpdate = true;
  return texture;
}
