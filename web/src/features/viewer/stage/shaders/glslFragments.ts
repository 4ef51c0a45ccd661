// GLSL code that several shaders include: atom textures, impostor quads, projection and lighting.

/** Atoms are texels, so that bonds and arrows move with them without an update. */
export const ATOM_GLSL = /* glsl */ `
uniform highp sampler2D atoms;   // x, y, z, radius
uniform highp sampler2D looks;   // red, green, blue, marks
const int VISIBLE = 1;
const int SELECTED = 2;
const int HOVERED = 4;
const int FIXED = 8;
ivec2 texel(int atom) {
  int width = textureSize(atoms, 0).x;
  return ivec2(atom % width, atom / width);
}
int marksOf(vec4 look) { return int(look.a * 255.0 + 0.5); }
float opacityOf(vec4 look) { return 1.0 - float(marksOf(look) >> 4) / 15.0; }
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
uniform mat4 modelMatrix;        // where a periodic image is
uniform mat4 modelViewMatrix;    // both, multiplied once instead of for every corner
uniform mat4 projectionMatrix;
uniform bool flatView;           // orthographic
uniform float pixel;             // size of a pixel: at distance 1, or anywhere in a flat view
float depthOf(float z) {
  float w = projectionMatrix[2][3] * z + projectionMatrix[3][3];
  return (projectionMatrix[2][2] * z + projectionMatrix[3][2]) / w * 0.5 + 0.5;
}
`;

/**
 * What is translucent leaves out pixels, so that it needs no sorting by depth. Each shape leaves out others: otherwise the
 * nearer of two shapes would hide the farther one wholly.
 */
export const DITHER_GLSL = /* glsl */ `
bool leftOut(float opacity, int shape) {
  if (opacity >= 1.0) return false;
  vec2 at = gl_FragCoord.xy + 5.588238 * float(shape & 63);
  return fract(52.9829189 * fract(dot(at, vec2(0.06711056, 0.00583715)))) > opacity;
}
`;

/** A main light, soft light from a bright sky and a lit floor; what is far away fades a little. */
export const LIGHT_GLSL = /* glsl */ `
uniform vec3 background;
uniform vec2 haze;               // distance where it begins, and one over its depth
uniform float hazeMost;
uniform float shine;
uniform float gloss;             // 0: wide highlights, 1: narrow ones
uniform float shading;           // 0: one colour, 1: light and shade
uniform float ink;               // strength of the dark edge
uniform float brightness;
uniform float fillLight;
uniform vec3 keyLight;           // the direction to the main light
vec3 lit(vec3 albedo, vec3 normal, vec3 sight, float distance_) {
  const vec3 FILL = vec3(0.70, -0.10, 0.70);
  float key = max(0.0, dot(normal, keyLight) * 0.82 + 0.18);
  float fill = max(0.0, dot(normal, FILL));
  float sky = 0.5 + 0.5 * normal.y;
  // Round things are darker where they turn away: cheap, and it sets them apart from what is behind.
  float facing = max(0.0, dot(normal, -sight));
  float edge = 0.55 + 0.45 * smoothstep(0.0, 0.62, facing);
  vec3 linear = albedo * albedo;
  vec3 soft = vec3(0.20, 0.21, 0.235) + 0.16 * sky + 0.10 * fill * vec3(0.9, 0.95, 1.0);
  vec3 light = fillLight * soft + 0.70 * key * vec3(1.0, 0.985, 0.96);
  vec3 halfway = normalize(keyLight - sight);
  float wide = max(0.0, dot(normal, halfway));
  wide *= wide; wide *= wide; wide *= wide;
  float glint = wide * wide; glint *= glint;
  float narrow = glint * glint; narrow *= narrow;
  glint = gloss < 0.5 ? mix(wide, glint, 2.0 * gloss) : mix(glint, narrow, 2.0 * gloss - 1.0);
  vec3 colour = brightness * linear * mix(vec3(0.95), light * edge, shading) + shine * glint * vec3(0.22);
  float fade = clamp((distance_ - haze.x) * haze.y, 0.0, 1.0) * hazeMost;
  return mix(sqrt(colour), background, fade);
}
/** The dark edge of a round shape. */
vec3 edged(vec3 colour, vec3 normal, vec3 sight) {
  return colour * (1.0 - ink * (1.0 - smoothstep(0.30, 0.42, dot(normal, -sight))));
}
`;
