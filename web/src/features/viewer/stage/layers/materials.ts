/** Materials whose shaders share uniforms for view and light. */
import {
  Color,
  DoubleSide,
  GLSL3,
  type IUniform,
  RawShaderMaterial,
  type ShaderMaterialParameters,
  Vector2,
  Vector3,
} from "three";
import { type Look, lightDirection, type Material } from "../appearance/sceneLook";
import type { BoundingSphere } from "../camera/bounds";
import type { OrbitCamera } from "../camera/camera";

/** Uniforms of every shader of the stage. */
export interface SharedUniforms {
  flatView: IUniform<boolean>;
  pixel: IUniform<number>;
  background: IUniform<Color>;
  haze: IUniform<Vector2>;
  hazeMost: IUniform<number>;
  shine: IUniform<number>;
  gloss: IUniform<number>;
  shading: IUniform<number>;
  ink: IUniform<number>;
  brightness: IUniform<number>;
  fillLight: IUniform<number>;
  keyLight: IUniform<Vector3>;
}

export function sharedUniforms(): SharedUniforms {
  return {
    flatView: { value: false },
    pixel: { value: 0.001 },
    background: { value: new Color(1, 1, 1) },
    haze: { value: new Vector2(0, 0) },
    hazeMost: { value: 0.5 },
    shine: { value: 1 },
    gloss: { value: 0.5 },
    shading: { value: 1 },
    ink: { value: 0 },
    brightness: { value: 1 },
    fillLight: { value: 1 },
    keyLight: { value: new Vector3(0, 0, 1) },
  };
}

/** Bring the uniforms to the lights of the user and a material; `contrast` is that of the theme. */
export function updateLight(
  shared: SharedUniforms,
  { light, fill, lightFrom }: Look,
  { shine, gloss, shading, outline }: Material,
  contrast: number,
): void {
  shared.shine.value = contrast * shine;
  shared.gloss.value = gloss;
  shared.shading.value = shading;
  shared.ink.value = outline;
  shared.brightness.value = light;
  shared.fillLight.value = fill;
  shared.keyLight.value.set(...lightDirection(lightFrom));
}

/** Bring the uniforms to the current camera. The haze begins in front of the centre and ends behind the scene. */
export function updateView(
  shared: SharedUniforms,
  { flat, pixel, camera }: OrbitCamera,
  { centre, radius }: BoundingSphere,
  pixelRatio: number,
  haze: boolean,
): void {
  shared.flatView.value = flat;
  shared.pixel.value = pixel / pixelRatio;
  shared.haze.value.set(camera.position.distanceTo(centre) - radius * 0.35, 1 / (radius * 1.6));
  shared.hazeMost.value = haze ? 0.42 : 0;
}

export function createMaterial(
  shared: SharedUniforms,
  shaders: { vertexShader: string; fragmentShader: string },
  own: Record<string, IUniform>,
  options: ShaderMaterialParameters = {},
): RawShaderMaterial {
  return new RawShaderMaterial({
    glslVersion: GLSL3,
    side: DoubleSide,
    uniforms: { ...shared, ...own },
    ...shaders,
    ...options,
  });
}

/** A CSS colour for the shaders, without colour space conversion. */
export function shaderColour(css: string): Color {
  return new Color().setStyle(css, "srgb-linear");
}
