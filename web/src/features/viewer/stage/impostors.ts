/** The layers that show atoms: spheres, bonds and arrows. All read the atoms' textures. */
import {
  BufferAttribute,
  type DataTexture,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Matrix3,
  Mesh,
  type RawShaderMaterial,
} from "three";
import type { AtomTextures } from "./atoms";
import { floats } from "./atoms";
import { material, raw, type Shared } from "./materials";
import * as shaders from "./shaders";

const CORNERS = new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]);

/** A patch of four corners, drawn once for each shape. */
export function patches(): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("corner", new BufferAttribute(CORNERS, 2));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  geometry.instanceCount = 0;
  return geometry;
}

/** Nothing is culled by three: where atoms are is known to the textures only. */
export function always<M extends Mesh>(mesh: M): M {
  mesh.frustumCulled = false;
  mesh.matrixAutoUpdate = false;
  return mesh;
}

export class Spheres {
  readonly mesh: Mesh<InstancedBufferGeometry, RawShaderMaterial>;

  constructor(shared: Shared, smoothEdges: boolean) {
    const own = {
      atoms: { value: null },
      looks: { value: null },
      size: { value: 1 },
      thickness: { value: 3 },
      smoothEdges: { value: smoothEdges },
      selectedColour: { value: raw("#ff9f1c") },
      hoveredColour: { value: raw("#3aa0ff") },
    };
    const look = material(
      shared,
      { vertexShader: shaders.SPHERE_VERTEX, fragmentShader: shaders.SPHERE_FRAGMENT },
      own,
      { alphaToCoverage: smoothEdges },
    );
    this.mesh = always(new Mesh(patches(), look));
  }

  show(atoms: AtomTextures): void {
    const { uniforms } = this.mesh.material;
    uniforms.atoms.value = atoms.placesTexture;
    uniforms.looks.value = atoms.looksTexture;
    this.mesh.geometry.instanceCount = atoms.count;
    this.mesh.visible = atoms.count > 0;
  }

  set size(size: number) {
    this.mesh.material.uniforms.size.value = size;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

export class BondLayer {
  readonly mesh: Mesh<InstancedBufferGeometry, RawShaderMaterial>;
  /** How many atoms the bonds were found among: bonds of another structure are not drawn. */
  private atomsMeant = 0;

  constructor(shared: Shared) {
    const own = {
      atoms: { value: null },
      looks: { value: null },
      cell: { value: new Matrix3() },
      thickness: { value: 0.12 },
      longest: { value: 1e9 },
    };
    const look = material(
      shared,
      { vertexShader: shaders.BOND_VERTEX, fragmentShader: shaders.CYLINDER_FRAGMENT },
      own,
    );
    this.mesh = always(new Mesh(patches(), look));
    this.mesh.visible = false;
  }

  setBonds(cylinders: Int32Array<ArrayBuffer>, atoms: number, longest: number): void {
    this.mesh.material.uniforms.longest.value = longest;
    const { geometry } = this.mesh;
    const before = geometry.getAttribute("bond") as InstancedBufferAttribute | undefined;
    const count = cylinders.length / 3;
    // Playing changes a few bonds at a time: the buffer is kept unless it is too small, or much too large.
    if (before && before.count >= count && before.count < 4 * count + 1024) {
      before.array.set(cylinders);
      before.clearUpdateRanges();
      before.addUpdateRange(0, cylinders.length);
      before.needsUpdate = true;
    } else {
      const room = new Int32Array(3 * Math.ceil(count * 1.25 + 16));
      room.set(cylinders);
      // A new attribute in an old geometry would leave the old buffer behind.
      geometry.dispose();
      geometry.setAttribute("bond", new InstancedBufferAttribute(room, 3));
    }
    geometry.instanceCount = count;
    this.atomsMeant = atoms;
  }

  show(atoms: AtomTextures, cell: ArrayLike<number> | null, wanted: boolean): void {
    const { uniforms } = this.mesh.material;
    uniforms.atoms.value = atoms.placesTexture;
    uniforms.looks.value = atoms.looksTexture;
    const c = cell ?? [0, 0, 0, 0, 0, 0, 0, 0, 0];
    uniforms.cell.value.set(c[0], c[3], c[6], c[1], c[4], c[7], c[2], c[5], c[8]);
    this.mesh.visible = wanted && this.atomsMeant === atoms.count && this.mesh.geometry.instanceCount > 0;
  }

  set thickness(thickness: number) {
    this.mesh.material.uniforms.thickness.value = thickness;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

export class ArrowLayer {
  readonly mesh: Mesh<InstancedBufferGeometry, RawShaderMaterial>;
  private texture: DataTexture | null = null;

  constructor(shared: Shared) {
    const own = {
      atoms: { value: null },
      looks: { value: null },
      vectors: { value: null },
      size: { value: 1 },
      thickness: { value: 0.07 },
      tint: { value: raw("#e2572b") },
      longest: { value: 1 },
      byLength: { value: true },
    };
    const look = material(shared, { vertexShader: shaders.ARROW_VERTEX, fragmentShader: shaders.ARROW_FRAGMENT }, own);
    this.mesh = always(new Mesh(arrow(10), look));
    this.mesh.visible = false;
  }

  show(atoms: AtomTextures, vectors: ArrayLike<number> | null, size: number, byLength: boolean): void {
    this.mesh.visible = vectors !== null && vectors.length >= 3 * atoms.count && atoms.count > 0;
    if (!this.mesh.visible || vectors === null) return;
    const { width, height } = atoms.placesTexture.image;
    if (!this.texture || this.texture.image.width !== width || this.texture.image.height !== height) {
      this.texture?.dispose();
      this.texture = floats(new Float32Array(4 * width * height), width, height);
    }
    const texels = this.texture.image.data as Float32Array;
    let longest = 0;
    for (let i = 0; i < atoms.count; i++) {
      const [x, y, z] = [vectors[3 * i], vectors[3 * i + 1], vectors[3 * i + 2]];
      const square = x * x + y * y + z * z;
      const there = Number.isFinite(square);
      texels[4 * i] = there ? x : 0;
      texels[4 * i + 1] = there ? y : 0;
      texels[4 * i + 2] = there ? z : 0;
      if (square > longest) longest = square;
    }
    this.texture.needsUpdate = true;
    const { uniforms } = this.mesh.material;
    uniforms.atoms.value = atoms.placesTexture;
    uniforms.looks.value = atoms.looksTexture;
    uniforms.vectors.value = this.texture;
    uniforms.longest.value = Math.sqrt(longest);
    uniforms.size.value = size;
    uniforms.byLength.value = byLength;
    this.mesh.geometry.instanceCount = atoms.count;
  }

  dispose(): void {
    this.texture?.dispose();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

/** A shaft and a head along the arrow; which ring a corner belongs to is its fourth number. */
function arrow(sides: number): InstancedBufferGeometry {
  const outline: number[] = [];
  const slope: number[] = [];
  const index: number[] = [];
  const rings: [radius: number, ring: number, out: number, along: number][] = [
    [0, 0, 0, -1],
    [1, 0, 0, -1],
    [1, 0, 1, 0],
    [1, 1, 1, 0],
    [2.4, 1, 0, -1],
    [2.4, 1, 0.9, 0.43],
    [0, 2, 0.9, 0.43],
  ];
  for (const [radius, ring, out, along] of rings)
    for (let side = 0; side <= sides; side++) {
      const angle = (2 * Math.PI * side) / sides;
      outline.push(Math.cos(angle), Math.sin(angle), radius, ring);
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

/** Spheres and cylinders that are not atoms: those of the room's scene, and of measurements. */
export class Rods {
  readonly mesh: Mesh<InstancedBufferGeometry, RawShaderMaterial>;

  constructor(shared: Shared) {
    const look = material(shared, { vertexShader: shaders.ROD_VERTEX, fragmentShader: shaders.CYLINDER_FRAGMENT }, {});
    this.mesh = always(new Mesh(patches(), look));
    this.mesh.visible = false;
  }

  /** Each rod: start, end, radius, colour at the start and at the end. */
  set(rods: readonly Rod[]): void {
    const start = new Float32Array(4 * rods.length);
    const end = new Float32Array(3 * rods.length);
    const startColour = new Float32Array(3 * rods.length);
    const endColour = new Float32Array(3 * rods.length);
    rods.forEach((rod, i) => {
      start.set([...rod.from, rod.radius], 4 * i);
      end.set(rod.to, 3 * i);
      startColour.set(raw(rod.colour).toArray(), 3 * i);
      endColour.set(raw(rod.endColour ?? rod.colour).toArray(), 3 * i);
    });
    const { geometry } = this.mesh;
    geometry.dispose();
    geometry.setAttribute("start", new InstancedBufferAttribute(start, 4));
    geometry.setAttribute("end", new InstancedBufferAttribute(end, 3));
    geometry.setAttribute("startColour", new InstancedBufferAttribute(startColour, 3));
    geometry.setAttribute("endColour", new InstancedBufferAttribute(endColour, 3));
    geometry.instanceCount = rods.length;
    this.mesh.visible = rods.length > 0;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

export interface Rod {
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
  readonly radius: number;
  readonly colour: string;
  readonly endColour?: string;
}

export function surface(shared: Shared, tint: string, opacity: number, grid: readonly number[] = [0, 1, 0, 0]): RawShaderMaterial {
  const own = { tint: { value: raw(tint) }, opacity: { value: opacity }, gridLines: { value: grid } };
  return material(shared, { vertexShader: shaders.SURFACE_VERTEX, fragmentShader: shaders.SURFACE_FRAGMENT }, own, {
    transparent: opacity < 1 || grid[0] > 0,
    depthWrite: opacity >= 1 && !(grid[0] > 0),
  });
}
