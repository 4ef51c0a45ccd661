/** What is written at an atom. */
import { element } from "@/lib/atoms/elements";
import { hasRowPerAtom } from "@/lib/atoms/frameKeys";
import type { Structure } from "@/lib/atoms/structure";
import { isArray, rowText } from "@/lib/frames";

export const INDEX_LABEL = "index";
export const ELEMENT_LABEL = "element";
export const ELEMENT_INDEX_LABEL = "element-index";

/** The key of the frame that labels need; null if they need none beside the structure. */
export function labelKey(labels: string | null): string | null {
  return labels?.includes(".") ? labels : null;
}

export function labelText(structure: Structure, labels: string, atom: number): string {
  const { symbol } = element(structure.numbers[atom]!);
  if (labels === INDEX_LABEL) return String(atom);
  if (labels === ELEMENT_LABEL) return symbol;
  if (labels === ELEMENT_INDEX_LABEL) return `${symbol}${atom}`;
  const array = structure.frame.get(labels);
  return isArray(array) && hasRowPerAtom(labels, array.shape, structure.count) ? rowText(array, atom, 2) : "";
}

interface Seen {
  readonly x: number;
  readonly y: number;
  readonly depth: number;
  readonly atom: number;
}

/** The atoms whose labels fit: of those that would overlap, the nearest has its label. */
export function fittingLabels(seen: readonly Seen[], width: number, height: number, most: number): Seen[] {
  const taken = new Set<string>();
  const fitting: Seen[] = [];
  for (const one of [...seen].sort((a, b) => a.depth - b.depth)) {
    const place = `${Math.round(one.x / width)},${Math.round(one.y / height)}`;
    if (taken.has(place)) continue;
    taken.add(place);
    fitting.push(one);
    if (fitting.length === most) break;
  }
  return fitting;
}
