// Lists of atom indices as text: "0-5, 8". The order is kept, because what runs may depend on it.

export function formatIndices(indices: number[]): string {
  const parts: string[] = [];
  for (let at = 0; at < indices.length; ) {
    let end = at;
    while (indices[end + 1] === indices[end]! + 1) end += 1;
    if (end - at >= 2) parts.push(`${indices[at]}-${indices[end]}`);
    else for (let one = at; one <= end; one += 1) parts.push(String(indices[one]));
    at = end + 1;
  }
  return parts.join(", ");
}

const MOST = 1_000_000;

/** Parse a list of indices and ranges; null if the text is not one. */
export function parseIndices(text: string): number[] | null {
  const found = new Set<number>();
  for (const part of text.split(/[\s,;]+/).filter(Boolean)) {
    const match = /^(\d+)(?:[-–](\d+))?$/.exec(part);
    if (!match) return null;
    const from = Number(match[1]);
    const to = match[2] === undefined ? from : Number(match[2]);
    if (to < from || to - from > MOST || found.size > MOST) return null;
    for (let one = from; one <= to; one += 1) found.add(one);
  }
  return [...found];
}
