/** Mouse, pen and touch input on the stage: rotate, pan, zoom, hover, click, select a rectangle. */
import { Matrix4 } from "three";
import { atomOnRay, atomsInBox } from "./pick";
import type { Stage } from "./stage";

export interface PointerHandlers {
  hover(atom: number, x: number, y: number): void;
  click(atom: number, add: boolean): void;
  doubleClick(atom: number): void;
  box(atoms: number[], add: boolean): void;
  /** The selection rectangle in pixels of the stage; null when it is finished. */
  boxing(box: { x: number; y: number; width: number; height: number } | null): void;
}

type Mode = "turn" | "move" | "box" | "roll";
/** A finger moves a little while it taps, and does not hit a pixel. */
const CLICK_DISTANCE_PX = { fine: 4, touch: 12 };
const PICK_RADIUS_PX = { fine: 2, touch: 8 };

export class PointerInput {
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private mode: Mode = "turn";
  private start = { x: 0, y: 0 };
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
    const { stage } = this;
    const [sx, sy] = this.onScreen(x, y);
    const { origin, direction } = stage.orbitCamera.ray(sx, sy);
    return atomOnRay(
      stage.atoms,
      origin,
      direction,
      1,
      stage.orbitCamera.flat ? 0 : PICK_RADIUS_PX[this.precision] * stage.orbitCamera.pixel,
    );
  }

  private readonly down = (event: PointerEvent): void => {
    const at = this.place(event);
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, at);
    if (this.pointers.size > 1) {
      this.travelled = Number.POSITIVE_INFINITY; // two fingers never click
      this.gestures.boxing(null);
      this.mode = "turn";
      return;
    }
    this.precision = event.pointerType === "touch" ? "touch" : "fine";
    this.start = at;
    this.travelled = 0;
    this.mode =
      event.button !== 0 || event.ctrlKey || event.metaKey
        ? "move"
        : event.shiftKey
          ? "box"
          : event.altKey
            ? "roll"
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
    if (this.travelled < CLICK_DISTANCE_PX[this.precision]) {
      if (event.type === "pointerup" && event.button === 0) {
        const atom = this.atomAt(at.x, at.y);
        // A finger has no Shift key: a tap adds the atom, or removes it, and a tap beside all atoms selects nothing.
        const adds = this.precision === "touch" && atom >= 0;
        this.gestures.click(atom, adds || event.shiftKey || event.ctrlKey || event.metaKey);
      }
    } else if (this.mode === "box" && event.type === "pointerup") {
      this.gestures.box(this.within(at), !event.altKey);
    }
    this.gestures.boxing(null);
  };

  private readonly leave = (): void => {
    if (this.pointers.size === 0) this.gestures.hover(-1, 0, 0);
  };

  private readonly twice = (event: MouseEvent): void => {
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
    if (this.travelled < CLICK_DISTANCE_PX[this.precision] && this.mode !== "box") return;
    const { orbitCamera } = this.stage;
    if (this.mode === "turn") orbitCamera.rotate(dx, dy);
    else if (this.mode === "move") orbitCamera.pan(dx, dy);
    else if (this.mode === "roll") orbitCamera.roll(-dx * 0.008);
    else {
      const [x, y] = [Math.min(at.x, this.start.x), Math.min(at.y, this.start.y)];
      this.gestures.boxing({
        x,
        y,
        width: Math.abs(at.x - this.start.x),
        height: Math.abs(at.y - this.start.y),
      });
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

  private within(at: { x: number; y: number }): number[] {
    const [x0, y0] = this.onScreen(at.x, at.y);
    const [x1, y1] = this.onScreen(this.start.x, this.start.y);
    const { camera } = this.stage.orbitCamera;
    const seen = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    return atomsInBox(this.stage.atoms, seen, {
      left: Math.min(x0, x1),
      right: Math.max(x0, x1),
      bottom: Math.min(y0, y1),
      top: Math.max(y0, y1),
    });
  }

  /** At most once for each animation frame, because pointer events are far more frequent. */
  private pointAt({ x, y }: { x: number; y: number }): void {
    cancelAnimationFrame(this.hovering);
    this.hovering = requestAnimationFrame(() => this.gestures.hover(this.atomAt(x, y), x, y));
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
