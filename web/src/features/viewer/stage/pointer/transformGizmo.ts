// The handles by which something in the scene is moved or turned. The stage feeds it with the pointer, so that a drag of a handle
// never turns the camera.
import { Group, Object3D } from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import type { Motion, Turn } from "../../edit/motion";
import type { Stage } from "../stage";
import type { PointerTool } from "./pointerTool";

/** The name of what is left out of pictures. */
export const HANDLES = "handles";

export type TransformMode = "translate" | "rotate";

export interface TransformHandlers {
  /** The motion since the drag began. */
  dragged(motion: Motion): void;
  dropped(motion: Motion): void;
  cancelled(): void;
}

export class TransformGizmo implements PointerTool {
  private readonly controls: TransformControls;
  private readonly anchor = new Object3D();
  private readonly group = new Group();
  private centre: readonly [number, number, number] | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly handlers: TransformHandlers,
  ) {
    this.controls = new TransformControls(stage.orbitCamera.camera);
    this.controls.detach();
    this.controls.addEventListener("change", () => stage.invalidate());
    this.group.add(this.anchor, this.controls.getHelper());
    this.group.name = HANDLES;
    stage.scene.add(this.group);
    // The scene does not update its objects by itself.
    stage.scene.onBeforeRender = () => this.update();
  }

  get dragging(): boolean {
    return this.controls.dragging;
  }

  set mode(mode: TransformMode) {
    this.cancel();
    this.controls.setMode(mode);
  }

  /** Show the handles at a point, or hide them. */
  place(centre: readonly [number, number, number] | null): void {
    this.cancel();
    this.centre = centre;
    this.rest();
    if (centre) this.controls.attach(this.anchor);
    else this.controls.detach();
    this.stage.invalidate();
  }

  hover(x: number, y: number): boolean {
    if (this.dragging || !this.centre) return false;
    this.controls.pointerHover(pointer(x, y, 0));
    return this.controls.axis !== null;
  }

  down(x: number, y: number): boolean {
    if (!this.centre) return false;
    this.update();
    if (!this.hover(x, y)) return false;
    // The plane in which the handle is dragged depends on the handle.
    this.update();
    this.controls.pointerDown(pointer(x, y, 0));
    return this.dragging;
  }

  drag(x: number, y: number): void {
    if (!this.dragging) return;
    this.controls.pointerMove(pointer(x, y, -1));
    this.handlers.dragged(this.motion());
  }

  drop(): void {
    if (!this.dragging) return;
    const motion = this.motion();
    this.controls.pointerUp(pointer(0, 0, 0));
    this.handlers.dropped(motion);
  }

  cancel(): boolean {
    if (!this.dragging) return false;
    this.controls.pointerUp(pointer(0, 0, 0));
    this.rest();
    this.handlers.cancelled();
    return true;
  }

  dispose(): void {
    this.stage.scene.onBeforeRender = () => {};
    this.stage.scene.remove(this.group);
    this.controls.getHelper().dispose();
    this.stage.canvas.style.cursor = "";
    this.stage.invalidate();
  }

  private rest(): void {
    if (this.centre) this.anchor.position.set(...this.centre);
    this.anchor.quaternion.identity();
  }

  private motion(): Motion {
    const { position, quaternion } = this.anchor;
    const [x, y, z] = this.centre!;
    return {
      shift: [position.x - x, position.y - y, position.z - z],
      turn: quaternion.toArray() as unknown as Turn,
    };
  }

  private update(): void {
    this.controls.camera = this.stage.orbitCamera.camera;
    this.group.updateMatrixWorld(true);
  }
}

/** The controls read only these of an event. */
function pointer(x: number, y: number, button: number): PointerEvent {
  return { x, y, button } as PointerEvent;
}
