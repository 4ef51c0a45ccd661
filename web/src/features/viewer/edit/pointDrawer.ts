// Places and moves points in the scene: a click places a point or takes the one under it, the gizmo moves the one that is taken.
import { Group } from "three";
import { toScreen } from "../overlays/projection";
import { curveObjects } from "../scene/curve";
import { type SceneObject, spheres } from "../scene/shapes";
import type { Point } from "../stage/layers/cylinders";
import type { Place } from "../stage/pointer/pointerInput";
import type { PointerTool } from "../stage/pointer/pointerTool";
import { TransformGizmo } from "../stage/pointer/transformGizmo";
import type { Stage } from "../stage/stage";
import type { Motion } from "./motion";
import { nearestPlace, type Shape } from "./pointGeometry";

export interface DrawnShape extends Shape {
  readonly chosen: number | null;
}

export interface DrawHandlers {
  placed(point: Point): void;
  chose(index: number): void;
  moved(index: number, to: Point): void;
}

const REACH_PX = 12;
const POINT_RADIUS = 0.2;
const COLOUR = "#8e24aa";
const CHOSEN_COLOUR = "#ff8a00";

export class PointDrawer implements PointerTool {
  private readonly gizmo: TransformGizmo;
  private readonly group = new Group();
  private made: SceneObject[] = [];
  private shape: DrawnShape | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly handlers: DrawHandlers,
  ) {
    this.gizmo = new TransformGizmo(stage, {
      dragged: (motion) => this.draw(this.after(motion)),
      dropped: (motion) => this.release(motion),
      cancelled: () => this.draw(this.shape?.points ?? []),
    });
    stage.scene.add(this.group);
    stage.pointerTool = this;
  }

  show(shape: DrawnShape): void {
    this.gizmo.cancel();
    this.shape = shape;
    this.draw(shape.points);
    this.gizmo.place(shape.chosen === null ? null : (shape.points[shape.chosen] ?? null));
  }

  hover(x: number, y: number): boolean {
    return this.gizmo.hover(x, y);
  }

  down(x: number, y: number): boolean {
    return this.gizmo.down(x, y);
  }

  drag(x: number, y: number): void {
    this.gizmo.drag(x, y);
  }

  drop(): void {
    this.gizmo.drop();
  }

  cancel(): boolean {
    return this.gizmo.cancel();
  }

  click(at: Place, atom: Point | null): boolean {
    const seen = this.shape?.points.map((point) => toScreen(this.stage, point)) ?? [];
    const near = nearestPlace(seen, at, REACH_PX);
    if (near >= 0) this.handlers.chose(near);
    else this.handlers.placed(atom ?? this.onFocusPlane(at));
    return true;
  }

  dispose(): void {
    this.gizmo.cancel();
    this.clear();
    this.stage.scene.remove(this.group);
    if (this.stage.pointerTool === this) this.stage.pointerTool = null;
    this.gizmo.dispose();
  }

  private onFocusPlane({ x, y }: Place): Point {
    const { orbitCamera, canvas } = this.stage;
    return orbitCamera.focusPoint((2 * x) / canvas.clientWidth - 1, 1 - (2 * y) / canvas.clientHeight);
  }

  private after({ shift }: Motion): readonly Point[] {
    const { points, chosen } = this.shape!;
    return points.map((point, at) =>
      at === chosen ? (point.map((part, axis) => part + shift[axis]!) as unknown as Point) : point,
    );
  }

  private release(motion: Motion): void {
    const { chosen } = this.shape!;
    const to = chosen === null ? undefined : this.after(motion)[chosen];
    if (chosen !== null && to) this.handlers.moved(chosen, to);
  }

  private draw(points: readonly Point[]): void {
    this.clear();
    if (!this.shape || points.length === 0) return;
    const { kind, data, chosen } = this.shape;
    const drawn =
      kind === "curve"
        ? curveObjects(this.stage, points, { color: COLOUR, ...data, handles: true })
        : [spheres(this.stage, points, POINT_RADIUS, COLOUR)];
    const taken = chosen === null ? undefined : points[chosen];
    if (taken) drawn.push(spheres(this.stage, [taken], 1.4 * POINT_RADIUS, CHOSEN_COLOUR));
    for (const one of drawn) this.group.add(one.object);
    this.made = drawn;
    this.stage.invalidate();
  }

  private clear(): void {
    for (const { object, dispose } of this.made) {
      this.group.remove(object);
      dispose();
    }
    this.made = [];
    this.stage.invalidate();
  }
}
