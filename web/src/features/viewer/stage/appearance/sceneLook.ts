/** The look of the scene: camera, lights, background and material, with presets. It is kept for each user and room. */

export const DEFAULT_FIELD = 32;

/** How surfaces are lit. */
export interface Material {
  /** Strength of the highlights. */
  readonly shine: number;
  /** 0: wide highlights as of rubber, 1: narrow ones as of glass. */
  readonly gloss: number;
  /** 0: one colour for the whole ball, 1: full light and shade. */
  readonly shading: number;
  /** Strength of the dark edge of balls and sticks. */
  readonly outline: number;
}

export interface Look {
  readonly flat: boolean;
  /** The angle of view in perspective, in degrees. */
  readonly field: number;
  readonly haze: boolean;
  /** A CSS colour behind the atoms; null uses that of the page. */
  readonly background: string | null;
  /** Whether saved pictures have no background. */
  readonly transparent: boolean;
  /** Factor of all lights. */
  readonly light: number;
  /** Factor of the light from all sides: 0 leaves the far side black. */
  readonly fill: number;
  /** Where the main light is: degrees to the right of the viewer, and above. */
  readonly lightFrom: readonly [number, number];
  /** Null uses the material of the room. */
  readonly material: Material | null;
}

/** About the upper left. */
const DEFAULT_LIGHT_FROM = [-25, 33] as const;

export const DEFAULT_LOOK: Look = {
  flat: false,
  field: DEFAULT_FIELD,
  haze: true,
  background: null,
  transparent: false,
  light: 1,
  fill: 1,
  lightFrom: DEFAULT_LIGHT_FROM,
  material: null,
};

export const MATERIALS = [
  { name: "Standard", material: { shine: 1, gloss: 0.5, shading: 1, outline: 0 } },
  { name: "Matte", material: { shine: 0, gloss: 0.5, shading: 1, outline: 0 } },
  { name: "Glossy", material: { shine: 2, gloss: 0.9, shading: 1, outline: 0 } },
  { name: "Outlined", material: { shine: 0.4, gloss: 0.5, shading: 0.8, outline: 0.9 } },
  { name: "Flat", material: { shine: 0, gloss: 0.5, shading: 0, outline: 1 } },
] as const satisfies readonly { name: string; material: Material }[];

/** The `material` of the room's spheres. */
export type RoomMaterial = "matte" | "shiny" | "flat" | "glass";

const [STANDARD, , GLOSSY, , FLAT] = MATERIALS;
const ROOM_MATERIALS: Readonly<Record<RoomMaterial, Material>> = {
  matte: STANDARD.material,
  shiny: GLOSSY.material,
  flat: FLAT.material,
  glass: { ...GLOSSY.material, gloss: 1 },
};

export function roomMaterial(given: unknown): RoomMaterial {
  return typeof given === "string" && Object.hasOwn(ROOM_MATERIALS, given)
    ? (given as RoomMaterial)
    : "matte";
}

/** The material of the user, or else that of the room. */
export function materialOf(look: Look, room: RoomMaterial): Material {
  return look.material ?? ROOM_MATERIALS[room];
}

export function materialName(material: Material): string | null {
  return MATERIALS.find((one) => isSame(one.material, material))?.name ?? null;
}

export const LIGHT_PRESETS: readonly { readonly name: string; readonly from: readonly [number, number] }[] = [
  { name: "Left", from: DEFAULT_LIGHT_FROM },
  { name: "Front", from: [0, 0] },
  { name: "Right", from: [40, 33] },
  { name: "Above", from: [0, 80] },
];

/** The direction to the main light, as seen by the viewer. */
export function lightDirection([right, above]: readonly [number, number]): [number, number, number] {
  const [azimuth, elevation] = [(right * Math.PI) / 180, (above * Math.PI) / 180];
  return [
    Math.sin(azimuth) * Math.cos(elevation),
    Math.sin(elevation),
    Math.cos(azimuth) * Math.cos(elevation),
  ];
}

export const LOOK_PRESETS: readonly { readonly name: string; readonly look: Look }[] = [
  { name: "Standard", look: DEFAULT_LOOK },
  {
    name: "Print",
    look: {
      ...DEFAULT_LOOK,
      background: "#ffffff",
      light: 1.1,
      haze: false,
      flat: true,
      material: { ...STANDARD.material, shine: 0.5 },
    },
  },
  { name: "Slides", look: { ...DEFAULT_LOOK, background: "#000000", light: 1.15 } },
  {
    name: "Drawing",
    look: { ...DEFAULT_LOOK, background: "#ffffff", haze: false, flat: true, material: FLAT.material },
  },
];

/** The look among the fields of a style. */
export function lookOf(style: Look): Look {
  const fields = Object.keys(DEFAULT_LOOK) as (keyof Look)[];
  return Object.fromEntries(fields.map((field) => [field, style[field]])) as unknown as Look;
}

/** The preset that the look is; null if it is none of them. */
export function presetOf(look: Look): string | null {
  return LOOK_PRESETS.find((preset) => isSame(preset.look, lookOf(look)))?.name ?? null;
}

function isSame(one: object, other: object): boolean {
  const sorted = (given: object) =>
    JSON.stringify(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(one) === sorted(other);
}
