// Cylinder impostors: bonds between atoms, and cylinders with given end points.
import { ATOM_GLSL, DITHER_GLSL, LIGHT_GLSL, PATCH_GLSL, VIEW_GLSL } from "./glslFragments";

/** Shared by bonds, which end at atoms, and by cylinders with given end points. */
const CYLINDER_COVER = /* glsl */ `
${PATCH_GLSL}
flat out vec3 middle;
flat out vec4 axis;              // direction and half the length
flat out float radius;
flat out vec3 first;
flat out vec3 second;
flat out vec2 seen;              // opacity of both halves
flat out int shape;
out vec3 place;
void cover(vec3 from, vec3 to, float thick) {
  middle = 0.5 * (from + to);
  // Never thinner than a pixel or so: otherwise far bonds and edges fall to pieces.
  thick = max(thick, 0.6 * pixel * (flatView ? 1.0 : length(middle)));
  vec3 whole = to - from;
  float along = length(whole);
  axis = vec4(whole / max(along, 1e-9), 0.5 * along);
  radius = thick;
  float away = flatView ? 1.0 : length(middle);
  vec3 towards = flatView ? vec3(0.0, 0.0, 1.0) : -middle / away;
  vec3 side = cross(axis.xyz, towards);
  float turned = length(side);
  side = turned > 1e-4 ? side / turned : normalize(cross(vec3(0.3, 1.0, 0.2), towards));
  vec3 lengthwise = cross(side, towards);
  float straight = abs(dot(axis.xyz, towards));
  float reach = axis.w * turned + thick * straight + pixel * away;
  float front = axis.w * straight + thick;
  vec2 corner = patchCorner();
  // In front of the whole cylinder, where its outline can only be smaller than the cylinder itself.
  place = middle + towards * front + side * (corner.x * (thick + pixel * away)) + lengthwise * (corner.y * reach);
  bool behind = flatView ? false : (from.z > -thick || to.z > -thick || away <= front * 1.02);
  gl_Position = behind || along < 1e-6 ? vec4(2.0, 2.0, 2.0, 1.0) : projectionMatrix * vec4(place, 1.0);
}
`;

export const BOND_VERTEX = /* glsl */ `
precision highp float;
precision highp int;
${VIEW_GLSL}
${ATOM_GLSL}
uniform mat3 cell;               // its columns are the cell's vectors
uniform float thickness;
uniform float longest;           // what is longer is no bond any more: its atoms have moved on since it was found
uniform highp isampler2D bonds;  // from, to, shift, strand
${CYLINDER_COVER}
void main() {
  int number = patchNumber();
  shape = number;
  int width = textureSize(bonds, 0).x;
  ivec4 bond = texelFetch(bonds, ivec2(number % width, number / width), 0);
  vec4 from = texelFetch(atoms, texel(bond.x), 0);
  vec4 to = texelFetch(atoms, texel(bond.y), 0);
  vec4 look = texelFetch(looks, texel(bond.x), 0);
  vec4 other = texelFetch(looks, texel(bond.y), 0);
  vec3 shift = vec3(ivec3(bond.z & 1023, (bond.z >> 10) & 1023, (bond.z >> 20) & 1023) - 512);
  bool part = (bond.z & (1 << 30)) != 0;
  vec3 end = to.xyz + cell * shift;
  bool torn = distance(from.xyz, end) > longest;
  if (part) end = 0.5 * (from.xyz + end);
  first = look.rgb;
  second = part ? look.rgb : other.rgb;
  seen = vec2(opacityOf(look), part ? opacityOf(look) : opacityOf(other));
  if (torn || (marksOf(look) & marksOf(other) & VISIBLE) == 0) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  vec3 start = (modelViewMatrix * vec4(from.xyz, 1.0)).xyz;
  vec3 stop = (modelViewMatrix * vec4(end, 1.0)).xyz;
  // The strands of a double bond are side by side for the viewer.
  float aside = float((bond.w & 1023) - 512) * 0.01 * thickness;
  vec3 apart = vec3(0.0);
  if (aside != 0.0) {
    vec3 towards = flatView ? vec3(0.0, 0.0, 1.0) : -0.5 * (start + stop);
    apart = cross(stop - start, towards);
    apart *= aside / max(length(apart), 1e-6);
  }
  cover(start + apart, stop + apart, thickness * float(bond.w >> 10) * 0.01);
}
`;

export const ROD_VERTEX = /* glsl */ `
precision highp float;
${VIEW_GLSL}
uniform highp sampler2D rods;    // four texels each: start and radius, end, colour at the start, colour at the end
${CYLINDER_COVER}
void main() {
  int row = patchNumber();
  shape = row;
  seen = vec2(1.0);
  vec4 start = texelFetch(rods, ivec2(0, row), 0);
  vec3 end = texelFetch(rods, ivec2(1, row), 0).xyz;
  first = texelFetch(rods, ivec2(2, row), 0).rgb;
  second = texelFetch(rods, ivec2(3, row), 0).rgb;
  cover((modelViewMatrix * vec4(start.xyz, 1.0)).xyz, (modelViewMatrix * vec4(end, 1.0)).xyz, start.w);
}
`;

export const CYLINDER_FRAGMENT = /* glsl */ `
precision highp float;
${VIEW_GLSL}
${LIGHT_GLSL}
${DITHER_GLSL}
flat in vec3 middle;
flat in vec4 axis;
flat in float radius;
flat in vec3 first;
flat in vec3 second;
flat in vec2 seen;
flat in int shape;
in vec3 place;
out vec4 colour;
void main() {
  vec3 sight = flatView ? vec3(0.0, 0.0, -1.0) : normalize(place);
  vec3 from = place - middle;
  float start = dot(from, axis.xyz);
  float slope = dot(sight, axis.xyz);
  float a = 1.0 - slope * slope;
  float b = dot(from, sight) - start * slope;
  float c = dot(from, from) - start * start - radius * radius;
  float inside = b * b - a * c;
  if (inside < 0.0) discard;
  float far = (-b - sqrt(inside)) / max(a, 1e-7);
  float along = start + far * slope;
  vec3 normal;
  if (abs(along) <= axis.w) {
    normal = (from + sight * far - axis.xyz * along) / radius;
  } else {
    // Its flat end, seen where a bond stops at a face of the cell.
    float end = slope > 0.0 ? -axis.w : axis.w;
    far = (end - start) / slope;
    vec3 within = from + sight * far - axis.xyz * end;
    if (far < 0.0 || dot(within, within) > radius * radius) discard;
    normal = slope > 0.0 ? -axis.xyz : axis.xyz;
    along = end;
  }
  if (leftOut(along < 0.0 ? seen.x : seen.y, shape)) discard;
  vec3 hit = place + sight * far;
  colour = vec4(edged(lit(along < 0.0 ? first : second, normal, sight, -hit.z), normal, sight), 1.0);
  gl_FragDepth = depthOf(hit.z);
}
`;
