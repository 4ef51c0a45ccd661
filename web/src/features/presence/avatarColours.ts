// A colour for each person in a room: their own one if it is free, otherwise the next, so that no two look alike as long as
// there are colours. White initials have a contrast of at least 4.5 on each.
const COLOURS = ["#3b5bdb", "#087f5b", "#c2255c", "#8f5200", "#5f3dc4", "#0b7285", "#a61e4d", "#2b6b1f"];

export function avatarColours(ids: readonly string[]): Map<string, string> {
  const colours = new Map<string, string>();
  const used = new Set<number>();
  for (const id of [...ids].sort()) {
    let at = hash(id) % COLOURS.length;
    if (used.size < COLOURS.length) while (used.has(at)) at = (at + 1) % COLOURS.length;
    used.add(at);
    colours.set(id, COLOURS[at]!);
  }
  return colours;
}

function hash(text: string): number {
  let value = 0;
  for (const letter of text) value = (value * 31 + letter.codePointAt(0)!) >>> 0;
  return value;
}
