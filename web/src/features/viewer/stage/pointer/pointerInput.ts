/** Mouse, pen and touch input on the stage: rotate, pan, zoom, hover, click, select with a rectangle or a lasso. */
import { Matrix4, Vector3 } from "three";
import type { Offset } from "../periodicImages";
import type { Stage } from "../stage";
import { atomOnRay, atomsWithin, type ScreenPoint } from "./pick";

export interface PointerHandlers {
  hover(atom: number, x: number, y: number): void;
  click(atom: number, add: boolean): void;
  doubleClick(atom: number): void;
  /** The atoms within a rectangle or a lasso that was drawn. */
  enclosed(atoms: number[], add: boolean): void;
  /** The outline that is being drawn, in pixels of the stage; null when it is finished. */
  outlining(outline: readonly Place[] | null): void;
  /** Whether a drag draws a lasso instead of turning the scene. */
  lassoing(): boolean;
  /** Whether an outline leaves out the atoms that are hidden behind others. */
  onlyInFront(): boolean;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

type Mode = "turn" | "move" | "box" | "lasso" | "roll" | "tool";
/** A corner of a lasso for every few pixels, so that a long one stays quick to test. */
const LASSO_STEP_PX = 4;
/** A finger moves a little while it taps, and does not hit a pixel. */
const CLICK_DISTANCE_PX = { fine: 4, touch: 12 };
const PICK_RADIUS_PX = { fine: 2, touch: 8 };

export class PointerInput {
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private mode: Mode = "turn";
  private outline: Place[] = [];
  private travelled = 0;
  private precision: "fine" | "touch" = "fine";
  private hovering = 0;

  constructor(
    private readonly stage: Stage,
    private readonly gestures: PointerHandlers,
  ) {
    const { canvas } = stage;
    canvas.style.touchAction = "none";
    canvas.addEventListener("pointerdown", this.down);
    canvas.addEventListener("pointermove", this.move);
    canvas.addEventListener("pointerup", this.up);
    canvas.addEventListener("pointercancel", this.up);
    canvas.addEventListener("pointerleave", this.leave);
    canvas.addEventListener("dblclick", this.twice);
    canvas.addEventListener("wheel", this.wheel, { passive: false });
    canvas.addEventListener("contextmenu", prevent);
  }

  dispose(): void {
    cancelAnimationFrame(this.hovering);
    const { canvas } = this.stage;
    canvas.removeEventListener("pointerdown", this.down);
    canvas.removeEventListener("pointermove", this.move);
    canvas.removeEventListener("pointerup", this.up);
    canvas.removeEventListener("pointercancel", this.up);
    canvas.removeEventListener("pointerleave", this.leave);
    canvas.removeEventListener("dblclick", this.twice);
    canvas.removeEventListener("wheel", this.wheel);
    canvas.removeEventListener("contextmenu", prevent);
  }

  /** The atom at a place of the canvas, in pixels. */
  atomAt(x: number, y: number): number {
    return this.pick(x, y, this.stage.offsets);
  }

  /** Where the atom at a place of the canvas is drawn, which may be a periodic image; null beside all atoms. */
  private imageAt(x: number, y: number): [number, number, number] | null {
    const { offsets, atoms } = this.stage;
    const atom = this.pick(x, y, offsets);
    const offset = offsets.find((one) => this.pick(x, y, [one]) === atom);
    if (atom < 0 || !offset) return null;
    return [0, 1, 2].map((axis) => atoms.positions[4 * atom + axis]! + offset[axis]!) as [
      number,
      number,
      number,
    ];
  }

  private pick(x: number, y: number, offsets: readonly Offset[]): number {
    const { orbitCamera, atoms } = this.stage;
    const { origin, direction } = orbitCamera.ray(...this.onScreen(x, y));
    return atomOnRay(
      atoms,
      offsets.map(([ax, ay, az]) => new Vector3(origin.x - ax, origin.y - ay, origin.z - az)),
      direction,
      1,
      orbitCamera.flat ? 0 : PICK_RADIUS_PX[this.precision] * orbitCamera.pixel,
    );
  }

  private readonly down = (event: PointerEvent): void => {
    const at = this.place(event);
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, at);
    if (this.pointers.size > 1) {
      this.travelled = Number.POSITIVE_INFINITY; // two fingers never click
      this.gestures.outlining(null);
      if (this.mode === "tool") this.stage.pointerTool?.cancel();
      this.mode = "turn";
      return;
    }
    this.precision = event.pointerType === "touch" ? "touch" : "fine";
    this.outline = [at];
    this.travelled = 0;
    this.mode =
      event.button !== 0 || event.ctrlKey || event.metaKey
        ? "move"
        : event.shiftKey
          ? "box"
          : event.altKey
            ? "roll"
            : this.stage.pointerTool?.down(...this.onScreen(at.x, at.y))
              ? "tool"
              : this.gestures.lassoing()
                ? "lasso"
                : "turn";
    this.gestures.hover(-1, 0, 0);
  };

  private readonly move = (event: PointerEvent): void => {
    const at = this.place(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      if (event.buttons === 0) this.pointAt(at);
      return;
    }
    const [dx, dy] = [at.x - before.x, at.y - before.y];
    if (this.pointers.size === 2) this.pinch(event.pointerId, at);
    else this.drag(at, dx, dy);
    this.pointers.set(event.pointerId, at);
  };

  private readonly up = (event: PointerEvent): void => {
    const known = this.pointers.delete(event.pointerId);
    if (!known || this.pointers.size > 0) return;
    const at = this.place(event);
    if (this.mode === "tool") {
      if (event.type === "pointerup") this.stage.pointerTool?.drop();
      else this.stage.pointerTool?.cancel();
    } else if (this.travelled < CLICK_DISTANCE_PX[this.precision]) {
      if (event.type === "pointerup" && event.button === 0) {
        if (this.stage.pointerTool?.click?.(at, this.imageAt(at.x, at.y))) return;
        const atom = this.atomAt(at.x, at.y);
        // A finger has no Shift key: a tap adds the atom, or removes it, and a tap beside all atoms selects nothing.
        const adds = this.precision === "touch" && atom >= 0;
        this.gestures.click(atom, adds || event.shiftKey || event.ctrlKey || event.metaKey);
      }
    } else if (this.isOutlining && event.type === "pointerup") {
      this.extend(at);
      this.gestures.enclosed(this.enclosed(), this.mode === "box" ? !event.altKey : event.shiftKey);
    }
    this.gestures.outlining(null);
  };

  private readonly leave = (): void => {
    if (this.pointers.size === 0) this.gestures.hover(-1, 0, 0);
  };

  private readonly twice = (event: MouseEvent): void => {
    if (this.stage.pointerTool?.click) return;
    const { x, y } = this.place(event);
    this.gestures.doubleClick(this.atomAt(x, y));
  };

  private readonly wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { x, y } = this.place(event);
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 30 : event.deltaY;
    this.stage.orbitCamera.zoom(
      Math.exp(Math.max(-120, Math.min(120, lines)) * 0.0022),
      ...this.onScreen(x, y),
    );
    this.stage.invalidate();
  };

  private drag(at: { x: number; y: number }, dx: number, dy: number): void {
    this.travelled += Math.hypot(dx, dy);
    const follows = this.isOutlining || this.mode === "tool";
    if (this.travelled < CLICK_DISTANCE_PX[this.precision] && !follows) return;
    const { orbitCamera } = this.stage;
    if (this.mode === "tool") this.stage.pointerTool?.drag(...this.onScreen(at.x, at.y));
    else if (this.mode === "turn") orbitCamera.rotate(dx, dy);
    else if (this.mode === "move") orbitCamera.pan(dx, dy);
    else if (this.mode === "roll") orbitCamera.roll(-dx * 0.008);
    else {
      this.extend(at);
      this.gestures.outlining(this.outline);
      return;
    }
    this.stage.invalidate();
  }

  private pinch(moved: number, at: { x: number; y: number }): void {
    const other = [...this.pointers].find(([id]) => id !== moved)?.[1];
    const before = this.pointers.get(moved);
    if (!other || !before) return;
    const gap = Math.hypot(before.x - other.x, before.y - other.y);
    const now = Math.hypot(at.x - other.x, at.y - other.y);
    if (gap > 1 && now > 1)
      this.stage.orbitCamera.zoom(gap / now, ...this.onScreen((at.x + other.x) / 2, (at.y + other.y) / 2));
    this.stage.orbitCamera.pan((at.x - before.x) / 2, (at.y - before.y) / 2);
    this.stage.invalidate();
  }

  private get isOutlining(): boolean {
    return this.mode === "box" || this.mode === "lasso";
  }

  /** The rectangle or the lasso reaches to another place. */
  private extend(at: Place): void {
    const [start, last] = [this.outline[0]!, this.outline.at(-1)!];
    if (this.mode === "box") this.outline = [start, { x: at.x, y: start.y }, at, { x: start.x, y: at.y }];
    else if (Math.hypot(at.x - last.x, at.y - last.y) >= LASSO_STEP_PX) this.outline = [...this.outline, at];
  }

  private enclosed(): number[] {
    const { camera } = this.stage.orbitCamera;
    const outline = this.outline.map(({ x, y }): ScreenPoint => this.onScreen(x, y));
    const view = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const found = this.stage.offsets.flatMap((offset) => {
      const seen = view
        .clone()
        .multiply(new Matrix4().makeTranslation(...(offset as [number, number, number])));
      return atomsWithin(this.stage.atoms, seen, outline);
    });
    const atoms = [...new Set(found)];
    return this.gestures.onlyInFront() ? this.stage.inFront(atoms) : atoms;
  }

  /** At most once for each animation frame, because pointer events are far more frequent. */
  private pointAt({ x, y }: { x: number; y: number }): void {
    cancelAnimationFrame(this.hovering);
    this.hovering = requestAnimationFrame(() => {
      const taken = this.stage.pointerTool?.hover(...this.onScreen(x, y)) ?? false;
      this.stage.canvas.style.cursor = taken ? "grab" : "";
      this.gestures.hover(taken ? -1 : this.atomAt(x, y), x, y);
    });
  }

  private place(event: MouseEvent): { x: number; y: number } {
    const { left, top } = this.stage.canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  private onScreen(x: number, y: number): [number, number] {
    const { width, height } = this.stage.canvas.getBoundingClientRect();
    return [(2 * x) / width - 1, 1 - (2 * y) / height];
  }
}

function prevent(event: Event): void {
  event.preventDefault();
}
