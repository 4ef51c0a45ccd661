// Boxes, planes, floors and isosurfaces, lit from both sides.
import { LIGHT_GLSL, VIEW_GLSL } from "./glslFragments";

/** Surfaces of the scene: boxes, planes, floors, isosurfaces; lit from both sides. */
export const SURFACE_VERTEX = /* glsl */ `
precision highp float;
${VIEW_GLSL}
in vec3 position;
in vec3 normal;
out vec3 facing;
out vec3 seen;
out vec3 world;
void main() {
  vec4 at = modelMatrix * vec4(position, 1.0);
  world = at.xyz;
  facing = mat3(viewMatrix) * mat3(modelMatrix) * normal;
  seen = (viewMatrix * at).xyz;
  gl_Position = projectionMatrix * vec4(seen, 1.0);
}
`;

export const SURFACE_FRAGMENT = /* glsl */ `
precision highp float;
${VIEW_GLSL}
${LIGHT_GLSL}
uniform vec3 tint;
uniform float opacity;
uniform vec4 gridLines;          // spacing, fade-out radius, and the centre's x and z; spacing 0: none
in vec3 facing;
in vec3 seen;
in vec3 world;
out vec4 colour;
void main() {
  vec3 sight = flatView ? vec3(0.0, 0.0, -1.0) : normalize(seen);
  vec3 normal = normalize(facing);
  if (dot(normal, sight) > 0.0) normal = -normal;
  colour = vec4(lit(tint, normal, sight, -seen.z), opacity);
  if (gridLines.x > 0.0) {
    vec2 at = world.xz / gridLines.x;
    vec2 near = abs(fract(at - 0.5) - 0.5) / fwidth(at);
    float line = 1.0 - min(min(near.x, near.y), 1.0);
    float fade = 1.0 - smoothstep(0.35, 1.0, length(world.xz - gridLines.zw) / gridLines.y);
    colour.rgb = mix(colour.rgb, tint * 0.45, line * 0.6);
    colour.a *= fade;
  }
}
`;
