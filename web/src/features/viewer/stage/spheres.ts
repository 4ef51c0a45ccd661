// The atoms as spheres; chosen ones with an outline.
import type { Color } from "three";
import type { AtomTextures } from "./atoms";
import { material, raw, type Shared } from "./materials";
import { atomUniforms, bind, type Drawn, discard, drawn, Patches } from "./patches";
import { SPHERE_FRAGMENT, SPHERE_VERTEX } from "./shaders";

export class Spheres {
  readonly mesh: Drawn;
  private readonly patches = new Patches();
  private readonly own = {
    ...atomUniforms(),
    size: { value: 1 },
    thickness: { value: 2.6 },
    smoothEdges: { value: false },
    opacity: { value: 1 },
    selectedColour: { value: raw("#ff8a00") },
    hoveredColour: { value: raw("#1c7ed6") },
  };

  constructor(shared: Shared, smoothEdges: boolean) {
    this.own.smoothEdges.value = smoothEdges;
    const shaders = { vertexShader: SPHERE_VERTEX, fragmentShader: SPHERE_FRAGMENT };
    this.mesh = drawn(this.patches, material(shared, shaders, this.own, { alphaToCoverage: smoothEdges }));
  }

  show(atoms: AtomTextures): void {
    bind(this.own, atoms);
    this.patches.count = atoms.count;
    this.mesh.visible = atoms.count > 0;
  }

  set opacity(opacity: number) {
    this.own.opacity.value = opacity;
  }

  /** In pixels of the picture. */
  set outline(thickness: number) {
    this.own.thickness.value = thickness;
  }

  setOutline(selected: Color, hovered: Color): void {
    this.own.selectedColour.value = selected;
    this.own.hoveredColour.value = hovered;
  }

  dispose(): void {
    discard(this.mesh);
  }
}
