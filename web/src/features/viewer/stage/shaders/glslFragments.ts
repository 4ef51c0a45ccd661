// GLSL code that several shaders include: atom textures, impostor quads, projection and lighting.

/** Atoms are texels, so that bonds and arrows move with them without an update. */
export const ATOM_GLSL = /* glsl */ `
uniform highp sampler2D atoms;   // x, y, z, radius
uniform highp sampler2D looks;   // red, green, blue, marks
const int VISIBLE = 1;
const int SELECTED = 2;
const int HOVERED = 4;
ivec2 texel(int atom) {
  int width = textureSize(atoms, 0).x;
  return ivec2(atom % width, atom / width);
}
int marksOf(vec4 look) { return int(look.a * 255.0 + 0.5); }
`;

/** The corners of patches are numbered through. */
export const PATCH_GLSL = /* glsl */ `
int patchNumber() { return gl_VertexID >> 2; }
vec2 patchCorner() {
  int at = gl_VertexID & 3;
  return vec2(at == 1 || at == 2 ? 1.0 : -1.0, at >= 2 ? 1.0 : -1.0);
}
`;

export const VIEW_GLSL = /* glsl */ `
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform bool flatView;           // orthographic
uniform float pixel;             // size of a pixel: at distance 1, or anywhere in a flat view
float depthOf(float z) {
  float w = projectionMatrix[2][3] * z + projectionMatrix[3][3];
  return (projectionMatrix[2][2] * z + projectionMatrix[3][2]) / w * 0.5 + 0.5;
}
`;

/** Soft light from the upper left, a bright sky and a lit floor; what is far away fades a little. */
export const LIGHT_GLSL = /* glsl */ `
uniform vec3 background;
uniform vec2 haze;               // distance where it begins, and one over its depth
uniform float hazeMost;
uniform float shine;
vec3 lit(vec3 albedo, vec3 normal, vec3 sight, float distance_) {
  const vec3 KEY = vec3(-0.36, 0.54, 0.76);
  const vec3 FILL = vec3(0.70, -0.10, 0.70);
  float key = max(0.0, dot(normal, KEY) * 0.82 + 0.18);
  float fill = max(0.0, dot(normal, FILL));
  float sky = 0.5 + 0.5 * normal.y;
  // Round things are darker where they turn away: cheap, and it sets them apart from what is behind.
  float facing = max(0.0, dot(normal, -sight));
  float edge = 0.55 + 0.45 * smoothstep(0.0, 0.62, facing);
  vec3 linear = albedo * albedo;
  vec3 light = vec3(0.20, 0.21, 0.235) + 0.16 * sky + 0.70 * key * vec3(1.0, 0.985, 0.96) + 0.10 * fill * vec3(0.9, 0.95, 1.0);
  vec3 halfway = normalize(KEY - sight);
  float glint = max(0.0, dot(normal, halfway));
  glint *= glint; glint *= glint; glint *= glint; glint *= glint; glint *= glint;
  vec3 colour = linear * light * edge + shine * glint * vec3(0.22);
  float fade = clamp((distance_ - haze.x) * haze.y, 0.0, 1.0) * hazeMost;
  return mix(sqrt(colour), background, fade);
}
`;
