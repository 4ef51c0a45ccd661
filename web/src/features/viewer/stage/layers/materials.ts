/** Materials whose shaders share the view and the light: changed once, seen by all. */
import {
  Color,
  DoubleSide,
  GLSL3,
  type IUniform,
  RawShaderMaterial,
  type ShaderMaterialParameters,
  Vector2,
} from "three";

/** What every shader of the stage reads. */
export interface SharedUniforms {
  flatView: IUniform<boolean>;
  pixel: IUniform<number>;
  background: IUniform<Color>;
  haze: IUniform<Vector2>;
  hazeMost: IUniform<number>;
  shine: IUniform<number>;
}

export function sharedUniforms(): SharedUniforms {
  return {
    flatView: { value: false },
    pixel: { value: 0.001 },
    background: { value: new Color(1, 1, 1) },
    haze: { value: new Vector2(0, 0) },
    hazeMost: { value: 0.5 },
    shine: { value: 1 },
  };
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

/** A colour as the shaders take it: the figures of CSS, without conversion. */
export function shaderColour(css: string): Color {
  return new Color().setStyle(css, "srgb-linear");
}
