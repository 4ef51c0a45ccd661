// The selected atoms of the current room, in the order of selection: measurements depend
// on the order.
import { create } from "zustand";
import { ExpressionError } from "@/lib/expression/tokens";

interface Selection {
  room: string;
  atoms: readonly number[];
  /** Incremented with every selection of this page; updates from the room do not count. */
  localRevision: number;
}

export const useSelection = create<Selection>(() => ({ room: "", atoms: [], localRevision: 0 }));

export function select(atoms: readonly number[]): void {
  useSelection.setState(({ localRevision }) => ({
    atoms: [...new Set(atoms)],
    localRevision: localRevision + 1,
  }));
}

export function isSameSelection(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((atom, at) => atom === other[at]);
}

/** Set the selection from the room without sending it back. */
export function setFromRoom(room: string, atoms: readonly number[]): void {
  const now = useSelection.getState();
  if (now.room === room && isSameSelection(now.atoms, atoms)) return;
  useSelection.setState({ room, atoms });
}

export function toggled(atoms: readonly number[], atom: number): number[] {
  return atoms.includes(atom) ? atoms.filter((one) => one !== atom) : [...atoms, atom];
}

export function union(atoms: readonly number[], more: readonly number[]): number[] {
  return [...new Set([...atoms, ...more])];
}

export function inverted(atoms: readonly number[], count: number): number[] {
  const chosen = new Set(atoms);
  return Array.from({ length: count }, (_, atom) => atom).filter((atom) => !chosen.has(atom));
}

/** Formats atom indices as "0–4, 7, 9". */
export function formatAtoms(atoms: readonly number[], most = 8): string {
  const sorted = [...atoms].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let at = 0; at < sorted.length; ) {
    let end = at;
    while (sorted[end + 1] === sorted[end]! + 1) end++;
    parts.push(end > at + 1 ? `${sorted[at]}–${sorted[end]}` : sorted.slice(at, end + 1).join(", "));
    at = end + 1;
    if (parts.length >= most && at < sorted.length) return `${parts.join(", ")}, …`;
  }
  return parts.join(", ");
}

/** Parses a list of atoms and ranges; null if the text is not one. */
export function parseAtoms(text: string): number[] | null {
  const atoms: number[] = [];
  for (const part of text.split(/[\s,;]+/).filter(Boolean)) {
    const range = /^(\d+)(?:[-–:](\d+))?$/.exec(part);
    if (!range) return null;
    const from = Number(range[1]);
    const to = Number(range[2] ?? range[1]);
    if (to < from || to - from > 1_000_000) return null;
    for (let atom = from; atom <= to; atom++) atoms.push(atom);
  }
  return [...new Set(atoms)];
}

/** The listed atoms that a frame of so many atoms has. Throws `ExpressionError` if it has none of them. */
export function atomsOfFrame(listed: readonly number[], count: number): number[] {
  const found = listed.filter((atom) => atom < count);
  if (listed.length > 0 && found.length === 0)
    throw new ExpressionError(
      count === 0 ? "This frame has no atoms." : `This frame has the atoms 0 to ${count - 1}.`,
      0,
    );
  return found;
}
