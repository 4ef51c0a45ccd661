// Cylinders that are not bonds: the cell's edges, dashes of measurements, curves of the scene.
import type { IUniform, Texture } from "three";
import { floats } from "./atoms";
import { material, raw, type Shared } from "./materials";
import { type Drawn, discard, drawn, Patches } from "./patches";
import { CYLINDER_FRAGMENT, ROD_VERTEX } from "./shaders";

export type Point = readonly [number, number, number];

export interface Rod {
  readonly from: Point;
  readonly to: Point;
  readonly radius: number;
  readonly colour: string;
  readonly endColour?: string;
}

export class Rods {
  readonly mesh: Drawn;
  private readonly patches = new Patches();
  private readonly own = { rods: { value: null } as IUniform<Texture | null> };

  constructor(shared: Shared) {
    const shaders = { vertexShader: ROD_VERTEX, fragmentShader: CYLINDER_FRAGMENT };
    this.mesh = drawn(this.patches, material(shared, shaders, this.own));
  }

  set(rods: readonly Rod[]): void {
    const texels = new Float32Array(16 * Math.max(1, rods.length));
    rods.forEach((rod, i) => {
      texels.set([...rod.from, rod.radius, ...rod.to], 16 * i);
      raw(rod.colour).toArray(texels, 16 * i + 8);
      raw(rod.endColour ?? rod.colour).toArray(texels, 16 * i + 12);
    });
    this.own.rods.value?.dispose();
    this.own.rods.value = floats(texels, 4, Math.max(1, rods.length));
    this.patches.count = rods.length;
    this.mesh.visible = rods.length > 0;
  }

  dispose(): void {
    this.own.rods.value?.dispose();
    discard(this.mesh);
  }
}
