/** The camera: target, orientation and distance, in perspective or orthographic projection (`flat`). */
import { OrthographicCamera, PerspectiveCamera, Quaternion, Vector3 } from "three";
import type { CameraView } from "@/lib/room/cameraFollow";
import { DEFAULT_FIELD } from "../appearance/sceneLook";

export class OrbitCamera {
  readonly target = new Vector3();
  readonly orientation = new Quaternion();
  distance = 20;
  flat = false;
  private angle = DEFAULT_FIELD;
  private readonly perspective = new PerspectiveCamera(DEFAULT_FIELD);
  private readonly orthographic = new OrthographicCamera();
  private width = 1;
  private height = 1;

  constructor() {
    for (const camera of [this.perspective, this.orthographic]) camera.matrixAutoUpdate = false;
  }

  get camera(): PerspectiveCamera | OrthographicCamera {
    return this.flat ? this.orthographic : this.perspective;
  }

  /** The angle of view, in degrees. What is in the middle keeps its size: the camera comes closer, or goes away. */
  get field(): number {
    return this.angle;
  }

  set field(degrees: number) {
    const before = this.tangent;
    this.angle = degrees;
    this.distance *= before / this.tangent;
  }

  /** Half the height of the picture at distance 1. */
  private get tangent(): number {
    return Math.tan((this.angle * Math.PI) / 360);
  }

  /** The size of a pixel at distance 1, or everywhere in an orthographic view. */
  get pixel(): number {
    return ((this.flat ? this.distance : 1) * 2 * this.tangent) / this.height;
  }

  resize(width: number, height: number): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
  }

  /** Update the three.js camera; its depth range encloses the given sphere. */
  update(centre: Vector3, radius: number): void {
    const { camera, target, orientation, distance } = this;
    camera.quaternion.copy(orientation);
    camera.position.set(0, 0, distance).applyQuaternion(orientation).add(target);
    const forward = new Vector3(0, 0, -1).applyQuaternion(orientation);
    const depth = centre.clone().sub(camera.position).dot(forward);
    camera.far = Math.max(depth + radius, distance * 0.1) * 1.01 + 1;
    if (camera instanceof PerspectiveCamera) {
      camera.near = Math.max(depth - radius, camera.far / 5000, 0.02);
      camera.fov = this.angle;
      camera.aspect = this.width / this.height;
    } else {
      camera.near = Math.min(depth - radius, 0) - 1;
      const half = distance * this.tangent;
      camera.top = half;
      camera.bottom = -half;
      camera.right = (half * this.width) / this.height;
      camera.left = -camera.right;
    }
    camera.updateProjectionMatrix();
    camera.updateMatrix();
    camera.updateMatrixWorld(true);
  }

  /** Rotate by dragged pixels about the axes of the screen, so that there is no pole. */
  rotate(dx: number, dy: number): void {
    const angle = Math.hypot(dx, dy) * 0.008;
    if (angle === 0) return;
    const axis = new Vector3(-dy, -dx, 0).normalize();
    this.orientation.multiply(new Quaternion().setFromAxisAngle(axis, angle)).normalize();
  }

  roll(angle: number): void {
    this.orientation.multiply(new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), angle)).normalize();
  }

  pan(dx: number, dy: number): void {
    const scale = (2 * this.distance * this.tangent) / this.height;
    this.target.add(new Vector3(-dx * scale, dy * scale, 0).applyQuaternion(this.orientation));
  }

  /** Zoom (in with a factor below 1) while the point under the pointer (−1 to 1) stays in place. */
  zoom(factor: number, x = 0, y = 0): void {
    const before = this.distance;
    this.distance = Math.min(Math.max(before * factor, 0.5), 1e6);
    const half = (before - this.distance) * this.tangent;
    const shift = new Vector3((x * half * this.width) / this.height, y * half, 0);
    this.target.add(shift.applyQuaternion(this.orientation));
  }

  /**
   * Look at a point from the smallest distance that shows all points. `points` has x, y, z of each, `stride` apart; `inset`
   * pixels at the left and right edge stay free.
   */
  fit(centre: Vector3, points: ArrayLike<number>, stride: number, margin: number, inset = 0): void {
    const { tangent } = this;
    const aspect = Math.max(this.width - 2 * inset, this.width / 2) / this.height;
    const [x, y, z] = [0, 1, 2].map((axis) =>
      new Vector3().setComponent(axis, 1).applyQuaternion(this.orientation),
    ) as [Vector3, Vector3, Vector3];
    const middle = centre.clone();
    // Perspective enlarges near points: the first round finds the distance, the others centre the result.
    for (let round = 0; round < 3; round++) {
      let distance = 2;
      const seen = { left: 0, right: 0, low: 0, high: 0 };
      for (let at = 0; at + 2 < points.length; at += stride) {
        const dx = points[at]! - middle.x;
        const dy = points[at + 1]! - middle.y;
        const dz = points[at + 2]! - middle.z;
        const nearer = this.flat ? 0 : dx * z.x + dy * z.y + dz * z.z;
        const across = dx * x.x + dy * x.y + dz * x.z;
        const up = dx * y.x + dy * y.y + dz * y.z;
        const needed =
          Math.max((Math.abs(across) + margin) / aspect, Math.abs(up) + margin) / tangent + nearer;
        if (!Number.isFinite(needed)) continue;
        if (needed > distance) distance = needed;
        const shrink = this.flat || round === 0 ? 1 : this.distance / Math.max(this.distance - nearer, 1e-3);
        seen.left = Math.min(seen.left, across * shrink);
        seen.right = Math.max(seen.right, across * shrink);
        seen.low = Math.min(seen.low, up * shrink);
        seen.high = Math.max(seen.high, up * shrink);
      }
      this.distance = distance * 1.04;
      if (round < 2)
        middle
          .addScaledVector(x, (seen.left + seen.right) / 2)
          .addScaledVector(y, (seen.low + seen.high) / 2);
    }
    this.target.copy(middle);
  }

  /** Look along a direction with the given up vector. */
  lookFrom(direction: Vector3, up: Vector3): void {
    const z = direction.clone().normalize();
    const x = up.clone().cross(z).normalize();
    const y = z.clone().cross(x);
    const m = this.perspective.matrix.clone().makeBasis(x, y, z);
    this.orientation.setFromRotationMatrix(m);
  }

  /** Look at the point `at` from the point `from`; false if they are the same. */
  lookAt(from: Vector3, at: Vector3, up: Vector3, zoom: number): boolean {
    const direction = from.clone().sub(at);
    const distance = direction.length();
    if (distance < 1e-6) return false;
    this.lookFrom(direction, up);
    this.target.copy(at);
    this.distance = distance / Math.max(zoom, 1e-3);
    return true;
  }

  /** The ray through a point of the screen (−1 to 1 each way). */
  ray(x: number, y: number): { origin: Vector3; direction: Vector3 } {
    const { camera } = this;
    const far = new Vector3(x, y, 0.5).unproject(camera);
    if (this.flat) {
      const direction = new Vector3(0, 0, -1).applyQuaternion(this.orientation);
      return { origin: far.addScaledVector(direction, -2 * (camera.far - camera.near)), direction };
    }
    return { origin: camera.position.clone(), direction: far.sub(camera.position).normalize() };
  }

  /** Where the ray through a point of the screen meets the plane through the target that is parallel to the screen. */
  focusPoint(x: number, y: number): [number, number, number] {
    const { origin, direction } = this.ray(x, y);
    const forward = new Vector3(0, 0, -1).applyQuaternion(this.orientation);
    const along = this.target.clone().sub(origin).dot(forward) / direction.dot(forward);
    return origin.addScaledVector(direction, along).toArray();
  }

  get state(): CameraView {
    return {
      target: this.target.toArray(),
      turn: this.orientation.toArray() as CameraView["turn"],
      distance: this.distance,
      flat: this.flat,
      field: this.angle,
    };
  }

  set state({ target, turn, distance, flat, field }: CameraView) {
    this.target.fromArray(target);
    this.orientation.fromArray(turn);
    this.distance = distance;
    this.flat = flat;
    this.angle = field;
  }
}
