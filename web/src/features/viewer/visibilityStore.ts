// What this page hides of the room that it shows, and whether a drag draws a lasso. It is forgotten with the page.
import { create } from "zustand";
import { EVERYTHING, type Slice, type Visibility } from "./stage/appearance/visibility";

interface VisibilityState extends Visibility {
  room: string;
  /** Whether a drag draws a lasso instead of turning the scene. */
  lasso: boolean;
  /** Whether boxes and lassos leave out the atoms that are hidden behind others. */
  onlyInFront: boolean;
}

export const useVisibility = create<VisibilityState>(() => ({
  ...EVERYTHING,
  room: "",
  lasso: false,
  onlyInFront: false,
}));

/** Another room has other atoms: what was hidden before says nothing about them. */
export function forgetOtherRoom(room: string): void {
  if (useVisibility.getState().room === room) return;
  useVisibility.setState({ ...EVERYTHING, room, lasso: false });
}

export function toggleElement(number: number): void {
  useVisibility.setState(({ hiddenElements }) => {
    const hidden = new Set(hiddenElements);
    if (!hidden.delete(number)) hidden.add(number);
    return { hiddenElements: hidden };
  });
}

export function hideAtoms(atoms: readonly number[]): void {
  useVisibility.setState(({ hiddenAtoms }) => ({ hiddenAtoms: new Set([...hiddenAtoms, ...atoms]) }));
}

/** Hide every atom but these. */
export function showOnly(atoms: readonly number[], count: number): void {
  const shown = new Set(atoms);
  const hidden = new Set<number>();
  for (let atom = 0; atom < count; atom++) if (!shown.has(atom)) hidden.add(atom);
  useVisibility.setState({ hiddenAtoms: hidden, hiddenElements: new Set() });
}

export function showEverything(): void {
  useVisibility.setState({ ...EVERYTHING });
}

export function setSlice(slice: Slice | null): void {
  useVisibility.setState({ slice });
}

export function toggleLasso(): void {
  useVisibility.setState(({ lasso }) => ({ lasso: !lasso }));
}
