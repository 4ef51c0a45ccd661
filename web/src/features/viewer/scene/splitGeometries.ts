// Splits the geometries of a room into the appearance of its atoms, the scene objects and the camera.
import type { Schemas } from "@/lib/api/client";
import { roomMaterial } from "../stage/appearance/sceneLook";
import { DEFAULT_ROOM_APPEARANCE, type RoomAppearance } from "../stage/appearance/style";

export type Geometry = Schemas["GeometryInfo"];

export interface SplitGeometries {
  readonly appearance: RoomAppearance;
  /** Geometries that are drawn in addition to the atoms, by key. */
  readonly objects: ReadonlyMap<string, Geometry>;
  readonly camera: Geometry["data"] | null;
  /** Frame keys that the geometries need. */
  readonly keys: readonly string[];
}

/** The positions of the atoms as they are drawn. */
export const POSITIONS = "arrays.positions";
/** The sphere scale of a new room; it corresponds to a scale of 1 on the stage. */
const DEFAULT_SCALE = 0.7;
const GLASS_OPACITY = 0.45;

export function splitGeometries(geometries: Readonly<Record<string, Geometry>>): SplitGeometries {
  let appearance = DEFAULT_ROOM_APPEARANCE;
  let camera: Geometry["data"] | null = null;
  const objects = new Map<string, Geometry>();
  const keys = new Set<string>();
  const seen = new Set<string>();
  for (const [key, geometry] of Object.entries(geometries)) {
    const { type, data } = geometry;
    const first = !seen.has(type);
    if (type === "spheres" && first && data.position === POSITIONS) {
      appearance = { ...appearance, ...spheres(data) };
      if (appearance.colourBy) keys.add(appearance.colourBy.key);
      seen.add(type);
    } else if (type === "bonds" && first) {
      appearance = { ...appearance, ...bonds(data) };
      seen.add(type);
    } else if (type === "cell" && first) {
      appearance = { ...appearance, cell: data.visible !== false, cellColour: textOrNull(data.color) };
      seen.add(type);
    } else if (type === "camera") {
      if (data.visible !== false) camera ??= data;
    } else if (data.visible !== false) {
      objects.set(key, geometry);
      for (const field of ["position", "direction", "grid"]) {
        const named = data[field];
        if (typeof named === "string" && named !== POSITIONS) keys.add(named);
      }
    }
  }
  // A room without such a geometry hides these parts.
  const some = Object.keys(geometries).length > 0;
  if (some && !Object.values(geometries).some(({ type }) => type === "spheres"))
    appearance = { ...appearance, atoms: false };
  if (some && !Object.values(geometries).some(({ type }) => type === "bonds"))
    appearance = { ...appearance, bonds: false };
  if (some && !Object.values(geometries).some(({ type }) => type === "cell"))
    appearance = { ...appearance, cell: false };
  return { appearance, objects, camera, keys: [...keys] };
}

function spheres(data: Geometry["data"]): Partial<RoomAppearance> {
  const { color, radius } = data;
  const by = typeof color === "object" && color !== null ? (color as Record<string, unknown>) : null;
  return {
    atoms: data.visible !== false,
    scale: numberOr(data.scale, DEFAULT_SCALE) / DEFAULT_SCALE,
    radius: typeof radius === "number" ? radius : radius === "vdw" ? "vdw" : null,
    colour: typeof color === "string" && color.startsWith("#") ? color : null,
    colourBy: by
      ? {
          key: String(by.key),
          map: by.colormap === "greys" ? "grey" : String(by.colormap ?? "viridis"),
          min: typeof by.minimum === "number" ? by.minimum : null,
          max: typeof by.maximum === "number" ? by.maximum : null,
        }
      : null,
    opacity: numberOr(data.opacity, 1) * (data.material === "glass" ? GLASS_OPACITY : 1),
    material: roomMaterial(data.material),
    selected: textOrNull(data.selectionColor),
  };
}

function bonds(data: Geometry["data"]): Partial<RoomAppearance> {
  return {
    bonds: data.visible !== false,
    tolerance: numberOr(data.cutoff, 1.2),
    periodic: data.periodic !== false,
    thickness: numberOr(data.radius, 0.12),
  };
}

export function numberOr(given: unknown, otherwise: number): number {
  return typeof given === "number" && Number.isFinite(given) ? given : otherwise;
}

export function textOrNull(given: unknown): string | null {
  return typeof given === "string" ? given : null;
}
