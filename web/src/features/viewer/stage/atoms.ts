/** The atoms as the graphics card has them: two textures, one texel for each atom. */
import { DataTexture, FloatType, NearestFilter, RGBAFormat, UnsignedByteType } from "three";

const WIDTH = 1024;

export const VISIBLE = 1;
export const SELECTED = 2;
export const HOVERED = 4;

export class AtomTextures {
  count = 0;
  /** x, y, z, radius of each atom. */
  places = new Float32Array(4);
  /** Red, green, blue, marks of each atom. */
  looks = new Uint8Array(4);
  placesTexture = floats(this.places, 1, 1);
  looksTexture = bytes(this.looks, 1, 1);

  /** Make room for so many atoms; what was there is gone if that is not the number there was. */
  resize(count: number): void {
    if (count === this.count) return;
    this.count = count;
    const width = Math.min(WIDTH, Math.max(1, count));
    const height = Math.max(1, Math.ceil(count / width));
    if (width * height * 4 === this.places.length) return;
    this.dispose();
    this.places = new Float32Array(4 * width * height);
    this.looks = new Uint8Array(4 * width * height);
    this.placesTexture = floats(this.places, width, height);
    this.looksTexture = bytes(this.looks, width, height);
  }

  setPositions(positions: ArrayLike<number>): void {
    const { places, count } = this;
    for (let i = 0; i < count; i++) {
      places[4 * i] = positions[3 * i]!;
      places[4 * i + 1] = positions[3 * i + 1]!;
      places[4 * i + 2] = positions[3 * i + 2]!;
    }
    this.placesTexture.needsUpdate = true;
  }

  setRadii(radius: (atom: number) => number): void {
    for (let i = 0; i < this.count; i++) this.places[4 * i + 3] = radius(i);
    this.placesTexture.needsUpdate = true;
  }

  looksChanged(): void {
    this.looksTexture.needsUpdate = true;
  }

  dispose(): void {
    this.placesTexture.dispose();
    this.looksTexture.dispose();
  }
}

export function floats(data: Float32Array<ArrayBuffer>, width: number, height: number): DataTexture {
  return plain(new DataTexture(data, width, height, RGBAFormat, FloatType));
}

function bytes(data: Uint8Array<ArrayBuffer>, width: number, height: number): DataTexture {
  return plain(new DataTexture(data, width, height, RGBAFormat, UnsignedByteType));
}

function plain(texture: DataTexture): DataTexture {
  texture.minFilter = NearestFilter;
  texture.magFilter = NearestFilter;
  texture.generateMipmaps = false;
  texture.needsUpdate = true;
  return texture;
}
