// Atoms as spheres; selected atoms have an outline.
import type { Color } from "three";
import { SPHERE_FRAGMENT, SPHERE_VERTEX } from "../shaders/sphere";
import type { AtomTextures } from "./atomTextures";
import {
  atomUniforms,
  bindAtomTextures,
  disposeMesh,
  type ImpostorMesh,
  ImpostorQuads,
  impostorMesh,
} from "./impostorQuads";
import { createMaterial, type SharedUniforms, shaderColour } from "./materials";

export class SphereLayer {
  readonly mesh: ImpostorMesh;
  private readonly patches = new ImpostorQuads();
  private readonly uniforms = {
    ...atomUniforms(),
    size: { value: 1 },
    thickness: { value: 2.6 },
    smoothEdges: { value: false },
    opacity: { value: 1 },
    rings: { value: true },
    selectedColour: { value: shaderColour("#ff8a00") },
    hoveredColour: { value: shaderColour("#1c7ed6") },
  };

  constructor(shared: SharedUniforms, smoothEdges: boolean) {
    this.uniforms.smoothEdges.value = smoothEdges;
    const shaders = { vertexShader: SPHERE_VERTEX, fragmentShader: SPHERE_FRAGMENT };
    this.mesh = impostorMesh(
      this.patches,
      createMaterial(shared, shaders, this.uniforms, { alphaToCoverage: smoothEdges }),
    );
  }

  show(atoms: AtomTextures): void {
    bindAtomTextures(this.uniforms, atoms);
    this.patches.count = atoms.count;
    this.mesh.visible = atoms.count > 0;
  }

  set opacity(opacity: number) {
    this.uniforms.opacity.value = opacity;
  }

  /** Whether selected atoms and the one under the pointer have a ring. */
  set rings(shown: boolean) {
    this.uniforms.rings.value = shown;
  }

  /** In pixels of the image. */
  set outline(thickness: number) {
    this.uniforms.thickness.value = thickness;
  }

  setOutline(selected: Color, hovered: Color): void {
    this.uniforms.selectedColour.value = selected;
    this.uniforms.hoveredColour.value = hovered;
  }

  dispose(): void {
    disposeMesh(this.mesh);
  }
}
