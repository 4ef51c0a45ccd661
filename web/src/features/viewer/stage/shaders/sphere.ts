// Sphere impostors: each atom is one quad, and every pixel intersects its ray with the sphere.
import { ATOM_GLSL, DITHER_GLSL, LIGHT_GLSL, PATCH_GLSL, VIEW_GLSL } from "./glslFragments";

export const SPHERE_VERTEX = /* glsl */ `
precision highp float;
${VIEW_GLSL}
${ATOM_GLSL}
${PATCH_GLSL}
uniform float size;
uniform float thickness;         // of the outline, in pixels
uniform float opacity;
uniform bool rings;              // of selected atoms and of the one under the pointer
flat out vec4 ball;              // centre and radius as seen from the eye
flat out vec3 albedo;
flat out int marks;
flat out float seen;             // opacity
flat out int shape;
flat out float outer;
out vec3 place;
void main() {
  vec2 corner = patchCorner();
  shape = patchNumber();
  ivec2 at = texel(shape);
  vec4 atom = texelFetch(atoms, at, 0);
  vec4 look = texelFetch(looks, at, 0);
  marks = marksOf(look);
  if (!rings) marks &= ~(SELECTED | HOVERED);
  albedo = look.rgb;
  vec3 centre = (modelViewMatrix * vec4(atom.xyz, 1.0)).xyz;
  float radius = atom.w * size;
  ball = vec4(centre, radius);
  float away = flatView ? 1.0 : length(centre);
  bool marked = (marks & (SELECTED | HOVERED)) != 0;
  seen = opacity * (marked ? 1.0 : opacityOf(look));
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
${DITHER_GLSL}
uniform vec3 selectedColour;
uniform vec3 hoveredColour;
uniform float thickness;         // of the ring, in pixels
uniform bool smoothEdges;
flat in vec4 ball;
flat in vec3 albedo;
flat in int marks;
flat in float seen;
flat in int shape;
flat in float outer;
in vec3 place;
out vec4 colour;
void main() {
  if (leftOut(seen, shape)) discard;
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
  vec3 ringColour = (marks & 4) != 0 ? hoveredColour : selectedColour;
  if (inside <= 0.0) {
    float gap = outer - sqrt(square);
    if (gap <= 0.0) discard;
    vec3 closest = centre - aside;
    if (marked) {
      colour = vec4(ringColour, smoothEdges ? min(1.0, gap / grain) : 1.0);
    } else {
      // Half a pixel beyond the edge: only there to blend it where the edges are smoothed.
      if (!smoothEdges) discard;
      colour = vec4(edged(lit(albedo, normalize(-aside), sight, along), normalize(-aside), sight), max(0.0, 0.5 - (sqrt(square) - radius) / grain));
    }
    gl_FragDepth = depthOf(closest.z);
    return;
  }
  float half_ = sqrt(inside);
  vec3 normal = (-aside - sight * half_) / radius;
  vec3 hit = centre + normal * radius;
  float cover = smoothEdges && !marked ? min(1.0, 0.5 + (radius - sqrt(square)) / grain) : 1.0;
  vec3 tint = albedo;
  // Fixed atoms have a cross.
  if ((marks & 8) != 0 && abs(abs(aside.x) - abs(aside.y)) < 0.13 * radius)
    tint *= dot(tint, vec3(0.3, 0.6, 0.1)) > 0.35 ? 0.3 : 2.4;
  colour = vec4(edged(lit(tint, normal, sight, -hit.z), normal, sight), cover);
  // The ring reaches a little inside, for atoms that lie close together; the rest keeps the colour that the legend explains.
  float rim = min(0.5 * thickness * grain, 0.14 * radius);
  if (marked && radius - sqrt(square) < rim) colour.rgb = ringColour;
  gl_FragDepth = depthOf(hit.z);
}
`;
