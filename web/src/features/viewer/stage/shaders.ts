/**
 * The shaders. Spheres and cylinders are impostors: a flat patch that covers the shape, on which every pixel works out
 * where the line of sight meets it. Round at any size, and four corners each however close one looks.
 */

/** Atoms are texels, so that bonds and arrows move with them without being told. */
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
const PATCH_GLSL = /* glsl */ `
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

export const SPHERE_VERTEX = /* glsl */ `
precision highp float;
${VIEW_GLSL}
${ATOM_GLSL}
${PATCH_GLSL}
uniform float size;
uniform float thickness;         // of the outline, in pixels
flat out vec4 ball;              // centre and radius as seen from the eye
flat out vec3 albedo;
flat out int marks;
flat out float outer;
out vec3 place;
void main() {
  vec2 corner = patchCorner();
  ivec2 at = texel(patchNumber());
  vec4 atom = texelFetch(atoms, at, 0);
  vec4 look = texelFetch(looks, at, 0);
  marks = marksOf(look);
  albedo = look.rgb;
  vec3 centre = (viewMatrix * vec4(atom.xyz, 1.0)).xyz;
  float radius = atom.w * size;
  ball = vec4(centre, radius);
  float away = flatView ? 1.0 : length(centre);
  bool marked = (marks & (SELECTED | HOVERED)) != 0;
  outer = radius + pixel * away * (marked ? thickness : 0.75);
  bool behind = flatView ? false : centre.z > -radius * 1.05;
  if ((marks & VISIBLE) == 0 || behind) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  vec3 towards = flatView ? vec3(0.0, 0.0, 1.0) : -centre / away;
  vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), towards));
  vec3 up = cross(towards, right);
  float reach = flatView ? outer : outer * away / sqrt(max(away * away - outer * outer, 1e-6));
  place = centre + (right * corner.x + up * corner.y) * reach;
  gl_Position = projectionMatrix * vec4(place, 1.0);
}
`;

export const SPHERE_FRAGMENT = /* glsl */ `
precision highp float;
precision highp int;
${VIEW_GLSL}
${LIGHT_GLSL}
uniform vec3 selectedColour;
uniform vec3 hoveredColour;
uniform bool smoothEdges;
uniform float opacity;
flat in vec4 ball;
flat in vec3 albedo;
flat in int marks;
flat in float outer;
in vec3 place;
out vec4 colour;
void main() {
  // Clear atoms have holes, finer than the eye: no order of drawing has to be kept.
  if (opacity < 1.0 && fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) > opacity) discard;
  vec3 centre = ball.xyz;
  float radius = ball.w;
  vec3 sight = flatView ? vec3(0.0, 0.0, -1.0) : normalize(place);
  // The vector from the line of sight to the centre, rather than a difference of large squares.
  float along = flatView ? centre.z - place.z : dot(sight, centre);
  vec3 aside = flatView ? vec3(centre.xy - place.xy, 0.0) : centre - sight * along;
  float square = dot(aside, aside);
  float inside = radius * radius - square;
  float grain = pixel * (flatView ? 1.0 : along);
  bool marked = (marks & 6) != 0;
  if (inside <= 0.0) {
    float gap = outer - sqrt(square);
    if (gap <= 0.0) discard;
    vec3 closest = centre - aside;
    if (marked) {
      colour = vec4((marks & 4) != 0 ? hoveredColour : selectedColour, smoothEdges ? min(1.0, gap / grain) : 1.0);
    } else {
      // Half a pixel beyond the edge: only there to blend it where the edges are smoothed.
      if (!smoothEdges) discard;
      colour = vec4(lit(albedo, normalize(-aside), sight, along), max(0.0, 0.5 - (sqrt(square) - radius) / grain));
    }
    gl_FragDepth = depthOf(closest.z);
    return;
  }
  float half_ = sqrt(inside);
  vec3 normal = (-aside - sight * half_) / radius;
  vec3 hit = centre + normal * radius;
  float cover = smoothEdges && !marked ? min(1.0, 0.5 + (radius - sqrt(square)) / grain) : 1.0;
  vec3 tint = (marks & 2) != 0 ? mix(albedo, selectedColour, 0.28) : albedo;
  colour = vec4(lit(tint, normal, sight, -hit.z), cover);
  gl_FragDepth = depthOf(hit.z);
}
`;

/** Shared by bonds, which end at atoms, and by the cylinders of the scene, which end where they are told to. */
const CYLINDER_COVER = /* glsl */ `
${PATCH_GLSL}
flat out vec3 middle;
flat out vec4 axis;              // direction and half the length
flat out float radius;
flat out vec3 first;
flat out vec3 second;
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
uniform highp isampler2D bonds;  // from, to, shift
${CYLINDER_COVER}
void main() {
  int number = patchNumber();
  int width = textureSize(bonds, 0).x;
  ivec3 bond = texelFetch(bonds, ivec2(number % width, number / width), 0).xyz;
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
  if (torn || (marksOf(look) & marksOf(other) & VISIBLE) == 0) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  cover((viewMatrix * vec4(from.xyz, 1.0)).xyz, (viewMatrix * vec4(end, 1.0)).xyz, thickness);
}
`;

export const ROD_VERTEX = /* glsl */ `
precision highp float;
${VIEW_GLSL}
uniform highp sampler2D rods;    // four texels each: start and radius, end, colour at the start, colour at the end
${CYLINDER_COVER}
void main() {
  int row = patchNumber();
  vec4 start = texelFetch(rods, ivec2(0, row), 0);
  vec3 end = texelFetch(rods, ivec2(1, row), 0).xyz;
  first = texelFetch(rods, ivec2(2, row), 0).rgb;
  second = texelFetch(rods, ivec2(3, row), 0).rgb;
  cover((viewMatrix * vec4(start.xyz, 1.0)).xyz, (viewMatrix * vec4(end, 1.0)).xyz, start.w);
}
`;

export const CYLINDER_FRAGMENT = /* glsl */ `
precision highp float;
${VIEW_GLSL}
${LIGHT_GLSL}
flat in vec3 middle;
flat in vec4 axis;
flat in float radius;
flat in vec3 first;
flat in vec3 second;
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
  vec3 hit = place + sight * far;
  colour = vec4(lit(along < 0.0 ? first : second, normal, sight, -hit.z), 1.0);
  gl_FragDepth = depthOf(hit.z);
}
`;

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
  seen = (viewMatrix * vec4(world, 1.0)).xyz;
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

/** Surfaces of the scene: boxes, planes, floors, isosurfaces; lit from both sides. */
export const SURFACE_VERTEX = /* glsl */ `
precision highp float;
${VIEW_GLSL}
uniform mat4 modelMatrix;
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
