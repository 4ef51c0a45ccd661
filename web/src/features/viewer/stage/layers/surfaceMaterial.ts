// Materials of flat and curved surfaces of the scene.
import { Vector4 } from "three";
import { SURFACE_FRAGMENT, SURFACE_VERTEX } from "../shaders/surface";
import { createMaterial, type SharedUniforms, shaderColour } from "./materials";

export interface GridLines {
  readonly spacing: number;
  /** How far the lines reach before they fade. */
  readonly reach: number;
  readonly x: number;
  readonly z: number;
}

export function surfaceMaterial(shared: SharedUniforms, colour: string, opacity: number, lines?: GridLines) {
  const own = {
    tint: { value: shaderColour(colour) },
    opacity: { value: opacity },
    gridLines: { value: new Vector4(lines?.spacing ?? 0, lines?.reach ?? 1, lines?.x ?? 0, lines?.z ?? 0) },
  };
  const clear = opacity < 1 || lines !== undefined;
  return createMaterial(shared, { vertexShader: SURFACE_VERTEX, fragmentShader: SURFACE_FRAGMENT }, own, {
    transparent: clear,
    depthWrite: !clear,
  });
}
