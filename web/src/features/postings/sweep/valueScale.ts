// Colours for the numbers of a sweep.
import { AUTOMATIC_MAP, colourMap, mapFor, rangeOf, shades } from "@/lib/atoms/colourmaps";

export interface ValueScale {
  min: number;
  max: number;
  colour: (value: number) => string;
  /** For the legend. */
  gradient: string;
}

export function valueScale(values: readonly number[]): ValueScale {
  const map = values.length ? mapFor(AUTOMATIC_MAP, values) : colourMap("viridis");
  const { min, max } = rangeOf(values, map.diverging);
  const table = shades(map);
  const last = table.length / 3 - 1;
  return {
    min,
    max,
    gradient: `linear-gradient(90deg, ${map.stops.join(", ")})`,
    colour: (value) => {
      const share = max > min ? (value - min) / (max - min) : 0.5;
      const at = 3 * Math.round(Math.min(1, Math.max(0, share)) * last);
      return `rgb(${table[at]} ${table[at + 1]} ${table[at + 2]})`;
    },
  };
}
