// The marks of the atoms: which are visible, selected, under the pointer or fixed by a constraint.
import { fixedAtoms } from "@/lib/atoms/fixedAtoms";
import type { Structure } from "@/lib/atoms/structure";
import type { AtomTextures } from "../layers/atomTextures";
import { applyMarks } from "./atomAppearance";
import { EVERYTHING, type Visibility, visibleAtoms } from "./visibility";

export class AtomMarks {
  selection: ReadonlySet<number> = new Set();
  hovered = -1;
  /** How translucent each atom is; null if all are opaque. */
  clear: Uint8Array | null = null;
  private visibility: Visibility = EVERYTHING;
  private visible: Uint8Array | null = null;
  private fixed: readonly number[] = [];

  /** Take over another structure; returns whether its marks differ from those of the one before. */
  show(structure: Structure, sameAtoms: boolean): boolean {
    const before = this.fixed;
    this.fixed = fixedAtoms(structure.frame);
    if (!sameAtoms) this.hovered = -1;
    if (!sameAtoms || this.visibility.slice) this.visible = visibleAtoms(structure, this.visibility);
    return (
      !sameAtoms ||
      this.visibility.slice !== null ||
      before.length !== this.fixed.length ||
      before.some((atom, at) => atom !== this.fixed[at])
    );
  }

  setVisibility(visibility: Visibility, structure: Structure | null): void {
    this.visibility = visibility;
    this.visible = structure ? visibleAtoms(structure, visibility) : null;
  }

  /** How many atoms of the structure are hidden. */
  get hiddenCount(): number {
    return this.visible ? this.visible.length - this.visible.reduce((sum, one) => sum + one, 0) : 0;
  }

  apply(atoms: AtomTextures): void {
    const { selection, hovered, visible, fixed, clear } = this;
    applyMarks(atoms, { selection, hovered, visible, fixed, clear });
  }
}
