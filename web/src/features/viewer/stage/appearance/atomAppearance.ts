// Writes the radius, colour and marks of each atom into the atom textures.
import { mapFor, paint, type Range, rangeOf, shades } from "@/lib/atoms/colourmaps";
import { ELEMENT_COLOURS, element } from "@/lib/atoms/elements";
import { type Structure, scalarsOf } from "@/lib/atoms/structure";
import { type AtomTextures, FIXED, HOVERED, SELECTED, VISIBLE } from "../layers/atomTextures";
import { shaderColour } from "../layers/materials";
import { CLEAR } from "./opacity";
import { atomRadius, colourSource, type RoomAppearance, type Style } from "./style";

/** The numbers that the colours stand for. */
export interface Legend extends Range {
  readonly key: string;
  readonly map: string;
}

export function applyRadii(
  atoms: AtomTextures,
  structure: Structure,
  style: Style,
  { radius: roomRadius, scale }: RoomAppearance,
): void {
  const spaceFilling = roomRadius === "vdw" && style.representation === "ball-and-stick";
  const representation = spaceFilling ? "space-filling" : style.representation;
  const byElement = new Map<number, number>();
  const { numbers } = structure;
  atoms.setRadii((atom) => {
    const number = numbers[atom]!;
    let radius = byElement.get(number);
    if (radius === undefined) {
      const base = typeof roomRadius === "number" ? roomRadius : atomRadius(representation, element(number));
      radius = base * style.atomScale * scale;
      byElement.set(number, radius);
    }
    return radius;
  });
}

/** Colours by a property of the frame, by the room's one colour, or by element. Returns the legend of a property. */
export function applyColours(
  atoms: AtomTextures,
  structure: Structure,
  style: Style,
  room: RoomAppearance,
  signedKey: string | null,
): Legend | null {
  const source = colourSource(style, room);
  const values = source ? scalarsOf(structure, source.key) : null;
  if (source && values) {
    const map = mapFor(source.map, values, signedKey === source.key);
    const range = source.range ?? rangeOf(values, map.diverging);
    paint(values, range, shades(map), atoms.colours);
    return { ...range, key: source.key, map: map.name };
  }
  if (room.colour) {
    const { r, g, b } = shaderColour(room.colour);
    for (let i = 0; i < structure.count; i++) atoms.colours.set([r * 255, g * 255, b * 255], 4 * i);
    return null;
  }
  const { numbers, count } = structure;
  for (let i = 0; i < count; i++) {
    const from = 3 * (numbers[i]! < 119 && numbers[i]! > 0 ? numbers[i]! : 0);
    atoms.colours[4 * i] = ELEMENT_COLOURS[from]!;
    atoms.colours[4 * i + 1] = ELEMENT_COLOURS[from + 1]!;
    atoms.colours[4 * i + 2] = ELEMENT_COLOURS[from + 2]!;
  }
  return null;
}

export interface Marks {
  readonly selection: ReadonlySet<number>;
  readonly hovered: number;
  /** One byte for each atom; null if all are visible. */
  readonly visible: Uint8Array | null;
  readonly fixed: readonly number[];
  /** How translucent each atom is, as `clearness` says; null if all are opaque. */
  readonly clear?: Uint8Array | null;
}

export function applyMarks(atoms: AtomTextures, { selection, hovered, visible, fixed, clear }: Marks): void {
  for (let i = 0; i < atoms.count; i++) {
    const step = clear?.[i] ?? 0;
    atoms.colours[4 * i + 3] = (visible && !visible[i]) || step === CLEAR ? 0 : VISIBLE | (step << 4);
  }
  for (const atom of fixed) if (atom >= 0 && atom < atoms.count) atoms.colours[4 * atom + 3]! |= FIXED;
  for (const atom of selection) if (atom >= 0 && atom < atoms.count) atoms.colours[4 * atom + 3]! |= SELECTED;
  if (hovered >= 0 && hovered < atoms.count) atoms.colours[4 * hovered + 3]! |= HOVERED;
  atoms.coloursChanged();
}
