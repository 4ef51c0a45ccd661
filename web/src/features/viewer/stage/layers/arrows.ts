// Vectors of atoms (forces, velocities) as arrows, coloured by their length.
import {
  BufferAttribute,
  type DataTexture,
  InstancedBufferGeometry,
  type IUniform,
  type Texture,
} from "three";
import { ARROW_FRAGMENT, ARROW_VERTEX } from "../shaders/arrow";
import { type AtomTextures, floatTexture } from "./atomTextures";
import {
  atomUniforms,
  bindAtomTextures,
  disposeMesh,
  type ImpostorMesh,
  impostorMesh,
} from "./impostorQuads";
import { createMaterial, type SharedUniforms, shaderColour } from "./materials";

export class ArrowLayer {
  readonly mesh: ImpostorMesh;
  private readonly geometry = arrow(10);
  private readonly uniforms = {
    ...atomUniforms(),
    vectors: { value: null } as IUniform<Texture | null>,
    size: { value: 1 },
    thickness: { value: 0.065 },
    tint: { value: shaderColour("#e2572b") },
    longest: { value: 1 },
    byLength: { value: true },
  };
  private texture: DataTexture | null = null;

  constructor(shared: SharedUniforms) {
    const shaders = { vertexShader: ARROW_VERTEX, fragmentShader: ARROW_FRAGMENT };
    this.mesh = impostorMesh(this.geometry, createMaterial(shared, shaders, this.uniforms));
  }

  /** One colour for all, or by length; and how thick. */
  tint(colour: string | null, thickness: number): void {
    this.uniforms.byLength.value = colour === null;
    if (colour !== null) this.uniforms.tint.value = shaderColour(colour);
    this.uniforms.thickness.value = thickness;
  }

  show(atoms: AtomTextures, vectors: ArrayLike<number> | null, size: number): void {
    this.mesh.visible = vectors !== null && vectors.length >= 3 * atoms.count && atoms.count > 0;
    if (!this.mesh.visible || vectors === null) return;
    const texture = this.textureLike(atoms.positionTexture);
    const texels = texture.image.data as Float32Array;
    let longest = 0;
    for (let i = 0; i < atoms.count; i++) {
      const [x, y, z] = [vectors[3 * i]!, vectors[3 * i + 1]!, vectors[3 * i + 2]!];
      const square = x * x + y * y + z * z;
      const there = Number.isFinite(square);
      texels[4 * i] = there ? x : 0;
      texels[4 * i + 1] = there ? y : 0;
      texels[4 * i + 2] = there ? z : 0;
      if (square > longest) longest = square;
    }
    texture.needsUpdate = true;
    bindAtomTextures(this.uniforms, atoms);
    this.uniforms.vectors.value = texture;
    this.uniforms.longest.value = Math.sqrt(longest);
    this.uniforms.size.value = size;
    this.geometry.instanceCount = atoms.count;
  }

  dispose(): void {
    this.texture?.dispose();
    disposeMesh(this.mesh);
  }

  private textureLike(other: DataTexture): DataTexture {
    const { width, height } = other.image;
    if (this.texture?.image.width === width && this.texture.image.height === height) return this.texture;
    this.texture?.dispose();
    this.texture = floatTexture(new Float32Array(4 * width * height), width, height);
    return this.texture;
  }
}

/** Rings from the foot of the shaft to the tip: radius, place along the arrow, and which way the surface faces. */
const RINGS: readonly (readonly [radius: number, place: number, out: number, along: number])[] = [
  [0, 0, 0, -1],
  [1, 0, 0, -1],
  [1, 0, 1, 0],
  [1, 1, 1, 0],
  [2.4, 1, 0, -1],
  [2.4, 1, 0.9, 0.43],
  [0, 2, 0.9, 0.43],
];

function arrow(sides: number): InstancedBufferGeometry {
  const outline: number[] = [];
  const slope: number[] = [];
  const index: number[] = [];
  for (const [radius, place, out, along] of RINGS)
    for (let side = 0; side <= sides; side++) {
      const angle = (2 * Math.PI * side) / sides;
      outline.push(Math.cos(angle), Math.sin(angle), radius, place);
      slope.push(Math.cos(angle) * out, Math.sin(angle) * out, along);
    }
  for (const ring of [0, 2, 3, 5])
    for (let side = 0; side < sides; side++) {
      const at = ring * (sides + 1) + side;
      index.push(at, at + 1, at + sides + 1, at + 1, at + sides + 2, at + sides + 1);
    }
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("outline", new BufferAttribute(Float32Array.from(outline), 4));
  geometry.setAttribute("slope", new BufferAttribute(Float32Array.from(slope), 3));
  geometry.setIndex(index);
  geometry.instanceCount = 0;
  return geometry;
}
