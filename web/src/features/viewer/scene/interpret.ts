// What a room draws, as the stage takes it: how its atoms look, and what stands beside them.
import { PLAIN_ROOM, type RoomLook } from "../stage/style";

export interface Geometry {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

export interface Interpreted {
  readonly look: RoomLook;
  /** What is drawn beside the atoms, by key. */
  readonly extras: ReadonlyMap<string, Geometry>;
  readonly camera: Geometry["data"] | null;
  /** What has to be fetched of each frame for it. */
  readonly keys: readonly string[];
}

const POSITIONS = "arrays.positions";
/** What a new room has, so that its atoms look as if nobody had said anything. */
const USUAL_SCALE = 0.7;

export function interpret(geometries: Readonly<Record<string, Geometry>>): Interpreted {
  let look = PLAIN_ROOM;
  let camera: Geometry["data"] | null = null;
  const extras = new Map<string, Geometry>();
  const keys = new Set<string>();
  const seen = new Set<string>();
  for (const [key, geometry] of Object.entries(geometries)) {
    const { type, data } = geometry;
    const first = !seen.has(type);
    if (type === "spheres" && first && data.position === POSITIONS) {
      look = { ...look, ...spheres(data) };
      if (look.colourBy) keys.add(look.colourBy.key);
      seen.add(type);
    } else if (type === "bonds" && first) {
      look = { ...look, ...bonds(data) };
      seen.add(type);
    } else if (type === "cell" && first) {
      look = { ...look, cell: data.visible !== false, cellColour: text(data.color) };
      seen.add(type);
    } else if (type === "camera") {
      if (data.visible !== false) camera ??= data;
    } else if (data.visible !== false) {
      extras.set(key, geometry);
      for (const field of ["position", "direction", "grid"]) {
        const named = data[field];
        if (typeof named === "string" && named !== POSITIONS) keys.add(named);
      }
    }
  }
  // Who took the geometry away does not want to see it.
  const some = Object.keys(geometries).length > 0;
  if (some && !Object.values(geometries).some(({ type }) => type === "spheres"))
    look = { ...look, atoms: false };
  if (some && !Object.values(geometries).some(({ type }) => type === "bonds"))
    look = { ...look, bonds: false };
  if (some && !Object.values(geometries).some(({ type }) => type === "cell")) look = { ...look, cell: false };
  return { look, extras, camera, keys: [...keys] };
}

function spheres(data: Geometry["data"]): Partial<RoomLook> {
  const { color, radius } = data;
  const by = typeof color === "object" && color !== null ? (color as Record<string, unknown>) : null;
  return {
    atoms: data.visible !== false,
    scale: number(data.scale, USUAL_SCALE) / USUAL_SCALE,
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
    opacity: number(data.opacity, 1),
    selected: text(data.selectionColor),
  };
}

function bonds(data: Geometry["data"]): Partial<RoomLook> {
  return {
    bonds: data.visible !== false,
    tolerance: number(data.cutoff, 1.2),
    periodic: data.periodic !== false,
    thickness: number(data.radius, 0.12),
  };
}

export function number(given: unknown, otherwise: number): number {
  return typeof given === "number" && Number.isFinite(given) ? given : otherwise;
}

export function text(given: unknown): string | null {
  return typeof given === "string" ? given : null;
}
