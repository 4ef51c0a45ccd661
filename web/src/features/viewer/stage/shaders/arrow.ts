// Arrows for per-atom vectors: one instance of a mesh for each atom.
import { ATOM_GLSL, LIGHT_GLSL, VIEW_GLSL } from "./glslFragments";

export const ARROW_VERTEX = /* glsl */ `
precision highp float;
precision highp int;
${VIEW_GLSL}
${ATOM_GLSL}
uniform highp sampler2D vectors;
uniform float size;              // Å for each unit of the vector
uniform float thickness;
uniform vec3 tint;
uniform float longest;
uniform bool byLength;
in vec4 outline;                 // around, around, radius, which ring along the arrow
in vec3 slope;                   // normal: around, around, along
out vec3 normal;
out vec3 seen;
flat out vec3 albedo;
vec3 heat(float share) {
  return share < 0.5 ? mix(vec3(0.20, 0.45, 0.90), vec3(0.97, 0.80, 0.25), share * 2.0)
                     : mix(vec3(0.97, 0.80, 0.25), vec3(0.88, 0.20, 0.18), share * 2.0 - 1.0);
}
void main() {
  ivec2 at = texel(gl_InstanceID);
  vec3 vector = texelFetch(vectors, at, 0).xyz;
  vec4 atom = texelFetch(atoms, at, 0);
  float strength = length(vector);
  float whole = strength * size;
  if ((marksOf(texelFetch(looks, at, 0)) & VISIBLE) == 0 || whole < 0.02) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  vec3 axis = vector / strength;
  vec3 side = normalize(abs(axis.z) < 0.9 ? cross(axis, vec3(0.0, 0.0, 1.0)) : cross(axis, vec3(1.0, 0.0, 0.0)));
  vec3 up = cross(axis, side);
  float head = min(5.0 * thickness, 0.5 * whole);
  float slim = min(1.0, head / (5.0 * thickness) * 1.2);
  float along = outline.w < 0.5 ? 0.0 : outline.w < 1.5 ? whole - head : whole;
  vec3 world = atom.xyz + axis * along + (side * outline.x + up * outline.y) * outline.z * thickness * slim;
  normal = mat3(viewMatrix) * normalize(side * slope.x + up * slope.y + axis * slope.z);
  seen = (modelViewMatrix * vec4(world, 1.0)).xyz;
  albedo = byLength ? heat(clamp(strength / max(longest, 1e-9), 0.0, 1.0)) : tint;
  gl_Position = projectionMatrix * vec4(seen, 1.0);
}
`;

export const ARROW_FRAGMENT = /* glsl */ `
precision highp float;
${VIEW_GLSL}
${LIGHT_GLSL}
in vec3 normal;
in vec3 seen;
flat in vec3 albedo;
out vec4 colour;
void main() {
  vec3 sight = flatView ? vec3(0.0, 0.0, -1.0) : normalize(seen);
  colour = vec4(lit(albedo, normalize(normal), sight, -seen.z), 1.0);
}
`;
