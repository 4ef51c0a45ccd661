/** Perceptually uniform colour maps, and their application to numbers. */

export interface ColourMap {
  readonly name: string;
  /** For numbers on both sides of zero: the middle is neutral. */
  readonly diverging: boolean;
  readonly stops: readonly string[];
}

export const COLOUR_MAPS: readonly ColourMap[] = [
  map("viridis", "440154 482878 3e4a89 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725"),
  map("magma", "000004 180f3d 440f76 721f81 9e2f7f cd4071 f1605d fd9668 feca8d fcfdbf"),
  map("plasma", "0d0887 47039f 7301a8 9c179e bd3786 d8576b ed7953 fa9e3b fdc926 f0f921"),
  map("cividis", "00224e 123570 3b496c 575d6d 707173 8a8678 a59c74 c3b369 e1cc55 fee838"),
  map("turbo", "30123b 4662d7 36aaf9 1ae4b6 72fe5e c8ef34 faba39 f66b19 cb2a04 7a0403"),
  map("grey", "1a1a1a 404040 666666 8c8c8c b3b3b3 d9d9d9 f2f2f2"),
  map("coolwarm", "3b4cc0 5f7fe8 88abfd b4cdfa dddcdc f2cab5 f4a283 dc6450 b40426", true),
  map("purple-green", "762a83 9970ab c2a5cf e7d4e8 f7f7f7 d9f0d3 a6dba0 5aae61 1b7837", true),
];

function map(name: string, stops: string, diverging = false): ColourMap {
  return { name, diverging, stops: stops.split(" ").map((stop) => `#${stop}`) };
}

export function colourMap(name: string): ColourMap {
  return COLOUR_MAPS.find((one) => one.name === name) ?? COLOUR_MAPS[0]!;
}

/** Takes a diverging map for numbers on both sides of zero, and a sequential one for others. */
export const AUTOMATIC_MAP = "automatic";

/** The map of a name for these numbers. `signed` says that others of the same kind had both signs. */
export function mapFor(name: string, values: ArrayLike<number>, signed = false): ColourMap {
  if (name !== AUTOMATIC_MAP) return colourMap(name);
  const { min, max } = rangeOf(values, false);
  return colourMap(signed || (min < 0 && max > 0) ? "coolwarm" : "viridis");
}

const SHADES = 256;
const tables = new Map<string, Uint8Array>();

/** 256 colours from the lower end to the upper, three bytes each. */
export function shades({ name, stops }: ColourMap): Uint8Array {
  const known = tables.get(name);
  if (known) return known;
  const colours = stops.map((stop) => [1, 3, 5].map((at) => Number.parseInt(stop.slice(at, at + 2), 16)));
  const table = new Uint8Array(SHADES * 3);
  for (let shade = 0; shade < SHADES; shade++) {
    const place = (shade / (SHADES - 1)) * (colours.length - 1);
    const lower = Math.min(Math.floor(place), colours.length - 2);
    for (let part = 0; part < 3; part++) {
      const from = colours[lower]![part]!;
      table[3 * shade + part] = Math.round(from + (colours[lower + 1]![part]! - from) * (place - lower));
    }
  }
  tables.set(name, table);
  return table;
}

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The range that holds all numbers; for a diverging map as far below zero as above it. */
export function rangeOf(values: ArrayLike<number>, diverging: boolean): Range {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (min > max) return { min: 0, max: 1 };
  if (diverging && min < 0 && max > 0) {
    const reach = Math.max(-min, max);
    return { min: -reach, max: reach };
  }
  return { min, max };
}

const MISSING = [128, 128, 128] as const;

/** Write the colours of numbers into RGBA bytes; values that are not finite are grey. */
export function paint(values: ArrayLike<number>, range: Range, table: Uint8Array, rgba: Uint8Array): void {
  const scale = range.max > range.min ? (SHADES - 1) / (range.max - range.min) : 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isFinite(value)) {
      const shade =
        scale === 0
          ? SHADES >> 1
          : Math.max(0, Math.min(SHADES - 1, Math.round((value - range.min) * scale)));
      rgba[4 * i] = table[3 * shade]!;
      rgba[4 * i + 1] = table[3 * shade + 1]!;
      rgba[4 * i + 2] = table[3 * shade + 2]!;
    } else {
      rgba.set(MISSING, 4 * i);
    }
  }
}

/** A CSS gradient from the lower end to the upper. */
export function gradient({ stops }: ColourMap, towards = "right"): string {
  return `linear-gradient(to ${towards}, ${stops.join(", ")})`;
}

/** About `count` round numbers within a range. */
export function ticks({ min, max }: Range, count = 5): number[] {
  if (!(max > min)) return [min];
  const rough = (max - min) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? 10 * power;
  const found: number[] = [];
  for (let n = Math.ceil(min / step - 1e-9); n * step <= max + step * 1e-9; n++)
    found.push(Number((n * step).toPrecision(12)));
  return found;
}
