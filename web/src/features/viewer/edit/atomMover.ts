// Moves the selected atoms with the gizmo: the stage shows the motion at once, and the frame is written when the handle is released.
import { fixedAtoms } from "@/lib/atoms/fixedAtoms";
import { haveSameAtoms, type Structure, structureOf } from "@/lib/atoms/structure";
import { notifyError } from "@/lib/notifications";
import { play, usePlayback } from "@/lib/room/playback";
import { editFrame } from "@/lib/trajectory/editFrame";
import { TransformGizmo, type TransformMode } from "../stage/pointer/transformGizmo";
import type { Stage } from "../stage/stage";
import { type AtomGroup, groupOf, isNoMotion, type Motion, movedPositions } from "./motion";
import { moveEdit } from "./moveEdit";

export interface MoverState {
  count: number;
  /** How many of the atoms a constraint fixes. */
  fixed: number;
  motion: Motion | null;
  saving: boolean;
}

/** A turn about its own centre leaves one atom where it is. */
export const FEWEST_ATOMS: Record<TransformMode, number> = { translate: 1, rotate: 2 };

export class AtomMover {
  private readonly gizmo: TransformGizmo;
  private readonly stopShow: () => void;
  private atoms: readonly number[] = [];
  private fewest = 1;
  private group: AtomGroup | null = null;
  /** The structure that the group belongs to. */
  private base: Structure | null = null;
  private motion: Motion | null = null;
  private saving = false;
  private disposed = false;

  constructor(
    private readonly stage: Stage,
    private readonly room: string,
    private readonly changed: (state: MoverState) => void,
  ) {
    this.gizmo = new TransformGizmo(stage, {
      dragged: (motion) => this.preview(motion),
      dropped: (motion) => void this.apply(motion),
      cancelled: () => this.restore(),
    });
    stage.pointerTool = this.gizmo;
    this.stopShow = stage.onShow((structure) => this.showed(structure));
  }

  /** Show the handles at these atoms. */
  take(atoms: readonly number[], mode: TransformMode): void {
    this.atoms = atoms;
    this.fewest = FEWEST_ATOMS[mode];
    this.gizmo.mode = mode;
    this.regroup();
  }

  /** Move the atoms, and write the frame as one change of the room. */
  async apply(motion: Motion): Promise<void> {
    const { group, base } = this;
    if (!group || !base || this.saving) return;
    if (isNoMotion(motion)) {
      this.restore();
      this.regroup();
      return;
    }
    play(false);
    this.saving = true;
    this.preview(motion);
    this.gizmo.place(null);
    try {
      const written = await editFrame(this.room, usePlayback.getState().step, (frame) =>
        moveEdit(frame, base, group, motion),
      );
      // The next motion begins here, also before the room announces the new frame.
      if (this.stage.structure === base) this.stage.show(structureOf(written));
    } catch (error) {
      notifyError(error, "The atoms were not moved");
      this.restore();
    } finally {
      this.saving = false;
      this.motion = null;
      this.regroup();
    }
  }

  dispose(): void {
    this.disposed = true;
    if (!this.gizmo.cancel() && this.motion && !this.saving) this.restore();
    this.stopShow();
    if (this.stage.pointerTool === this.gizmo) this.stage.pointerTool = null;
    this.gizmo.dispose();
  }

  private preview(motion: Motion): void {
    if (!this.group || !this.base) return;
    if (!this.motion) play(false);
    this.motion = motion;
    this.stage.preview(movedPositions(this.base.positions, this.group, motion));
    this.tell();
  }

  private restore(): void {
    this.motion = null;
    if (this.stage.structure) this.stage.preview(this.stage.structure.positions);
    this.tell();
  }

  /** Another frame is shown, or the same one with more values. */
  private showed(structure: Structure): void {
    const same = this.base !== null && isSameFrame(this.base, structure);
    if (this.saving) {
      if (same && this.motion) this.preview(this.motion);
      return;
    }
    if (this.gizmo.dragging && !same) {
      this.gizmo.cancel();
      notifyError(new Error("Another frame is shown now. Nothing was written."), "The atoms were not moved");
    }
    if (same && this.gizmo.dragging && this.motion) this.preview(this.motion);
    else this.regroup();
  }

  private regroup(): void {
    if (this.saving || this.disposed) return;
    this.base = this.stage.structure;
    this.group = this.base && groupOf(this.base, this.atoms);
    const enough = (this.group?.atoms.length ?? 0) >= this.fewest;
    this.gizmo.place(enough ? (this.group?.centre ?? null) : null);
    this.tell();
  }

  private tell(): void {
    if (this.disposed) return;
    const fixed = new Set(this.base ? fixedAtoms(this.base.frame) : []);
    this.changed({
      count: this.group?.atoms.length ?? 0,
      fixed: this.group?.atoms.filter((atom) => fixed.has(atom)).length ?? 0,
      motion: this.motion,
      saving: this.saving,
    });
  }
}

function isSameFrame(one: Structure, other: Structure): boolean {
  if (!haveSameAtoms(one, other) || one.positions.length !== other.positions.length) return false;
  for (let at = 0; at < one.positions.length; at++)
    if (!Object.is(one.positions[at], other.positions[at])) return false;
  return true;
}
