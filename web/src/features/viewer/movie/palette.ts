/** Reduces the colours of an image to a palette of 256 (median cut on 15-bit colours). */

const LEVELS = 32;
const MOST = 256;

export interface Palette {
  /** Red, green, blue of each colour. */
  readonly colours: Uint8Array;
  /** The palette index of every 15-bit colour. */
  readonly lookup: Uint8Array;
}

interface Box {
  readonly keys: number[];
  readonly weight: number;
}

const part = (key: number, channel: number): number => (key >> (10 - 5 * channel)) & (LEVELS - 1);

export function keyOf(red: number, green: number, blue: number): number {
  return ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
}

export function paletteOf(rgba: Uint8ClampedArray): Palette {
  const counts = new Uint32Array(LEVELS ** 3);
  for (let at = 0; at < rgba.length; at += 4) counts[keyOf(rgba[at]!, rgba[at + 1]!, rgba[at + 2]!)]!++;
  const used = [...counts.keys()].filter((key) => counts[key]! > 0);
  const weigh = (keys: number[]): Box => ({ keys, weight: keys.reduce((sum, key) => sum + counts[key]!, 0) });
  const boxes = [weigh(used)];
  while (boxes.length < MOST) {
    // The box that holds most pixels among those that can be divided.
    let widest = -1;
    for (const [at, box] of boxes.entries())
      if (box.keys.length > 1 && (widest < 0 || box.weight > boxes[widest]!.weight)) widest = at;
    if (widest < 0) break;
    const [one, other] = divided(boxes[widest]!.keys, counts);
    boxes.splice(widest, 1, weigh(one), weigh(other));
  }
  const colours = new Uint8Array(3 * MOST);
  const lookup = new Uint8Array(LEVELS ** 3);
  for (const [index, { keys, weight }] of boxes.entries())
    for (let channel = 0; channel < 3; channel++) {
      let sum = 0;
      for (const key of keys) sum += part(key, channel) * counts[key]!;
      // The middle of the eight levels that share a key.
      colours[3 * index + channel] = Math.min(255, Math.round((sum / Math.max(1, weight)) * 8 + 4));
      if (channel === 0) for (const key of keys) lookup[key] = index;
    }
  return { colours, lookup };
}

/** Two halves with about as many pixels, along the channel in which the colours differ most. */
function divided(keys: number[], counts: Uint32Array): [number[], number[]] {
  const spread = [0, 1, 2].map((channel) => {
    let [low, high] = [LEVELS, 0];
    for (const key of keys) {
      low = Math.min(low, part(key, channel));
      high = Math.max(high, part(key, channel));
    }
    return high - low;
  });
  const channel = spread.indexOf(Math.max(...spread));
  const sorted = [...keys].sort((a, b) => part(a, channel) - part(b, channel));
  const half = sorted.reduce((sum, key) => sum + counts[key]!, 0) / 2;
  let [at, sum] = [0, 0];
  while (at < sorted.length - 1 && sum + counts[sorted[at]!]! <= half) sum += counts[sorted[at++]!]!;
  const cut = Math.max(1, at);
  return [sorted.slice(0, cut), sorted.slice(cut)];
}
