// Cylinders that are not bonds: the cell's edges, dashes of measurements, curves of the scene.
import type { IUniform, Texture } from "three";
import { CYLINDER_FRAGMENT, ROD_VERTEX } from "../shaders/cylinder";
import { floatTexture } from "./atomTextures";
import { disposeMesh, type ImpostorMesh, ImpostorQuads, impostorMesh } from "./impostorQuads";
import { createMaterial, type SharedUniforms, shaderColour } from "./materials";

export type Point = readonly [number, number, number];

export interface Cylinder {
  readonly from: Point;
  readonly to: Point;
  readonly radius: number;
  readonly colour: string;
  readonly endColour?: string;
}

export class CylinderLayer {
  readonly mesh: ImpostorMesh;
  private readonly patches = new ImpostorQuads();
  private readonly uniforms = { rods: { value: null } as IUniform<Texture | null> };

  constructor(shared: SharedUniforms) {
    const shaders = { vertexShader: ROD_VERTEX, fragmentShader: CYLINDER_FRAGMENT };
    this.mesh = impostorMesh(this.patches, createMaterial(shared, shaders, this.uniforms));
  }

  set(rods: readonly Cylinder[]): void {
    const texels = new Float32Array(16 * Math.max(1, rods.length));
    rods.forEach((rod, i) => {
      texels.set([...rod.from, rod.radius, ...rod.to], 16 * i);
      shaderColour(rod.colour).toArray(texels, 16 * i + 8);
      shaderColour(rod.endColour ?? rod.colour).toArray(texels, 16 * i + 12);
    });
    this.uniforms.rods.value?.dispose();
    this.uniforms.rods.value = floatTexture(texels, 4, Math.max(1, rods.length));
    this.patches.count = rods.length;
    this.mesh.visible = rods.length > 0;
  }

  dispose(): void {
    this.uniforms.rods.value?.dispose();
    disposeMesh(this.mesh);
  }
}
