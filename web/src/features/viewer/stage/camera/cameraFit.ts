// Places the camera so that the structure is in view, and knows when it has to be placed anew.
import { Vector3 } from "three";
import type { AtomTextures } from "../layers/atomTextures";
import type { Offset } from "../periodicImages";
import { type BoundingSphere, differsMuch, pointsToFit, updateBounds } from "./bounds";
import type { OrbitCamera } from "./camera";

const FIT_MARGIN = 0.8;

/** What has to be in view. */
export interface Extent {
  readonly atoms: AtomTextures;
  readonly corners: readonly Offset[];
  /** Where the structure and its periodic images are. */
  readonly offsets: readonly Offset[];
}

export class CameraFit {
  readonly bounds: BoundingSphere = { centre: new Vector3(), radius: 5 };
  /** Scene objects may extend beyond the atoms. */
  sceneBounds: BoundingSphere | null = null;
  /** Pixels at the left and right edge that are kept free: the toolbar covers one of them. */
  inset = 0;
  /** Atoms whose positions are not finite numbers; they cannot be drawn. */
  nowhere = 0;
  /** The extent that the camera was fitted to; null if the room or nobody placed the camera. */
  private fitted: BoundingSphere | null = null;
  /** Whether a camera position was set before the first structure was shown. */
  private placed = false;
  /** Whether the camera is that of another person for a while. */
  private guided = false;

  constructor(private readonly camera: OrbitCamera) {}

  /** The radius of everything around the centre of the structure. */
  get radius(): number {
    const { bounds, sceneBounds } = this;
    if (!sceneBounds) return bounds.radius;
    return Math.max(bounds.radius, sceneBounds.radius + sceneBounds.centre.distanceTo(bounds.centre));
  }

  measure({ atoms, corners, offsets }: Extent): void {
    if (atoms.count > 0) this.nowhere = updateBounds(this.bounds, atoms, corners, offsets);
  }

  fit(extent: Extent): void {
    this.measure(extent);
    const points = pointsToFit(extent.atoms, extent.corners, extent.offsets);
    this.camera.fit(this.bounds.centre, points, 4, FIT_MARGIN, this.inset);
    this.fitted = { centre: this.bounds.centre.clone(), radius: this.bounds.radius };
  }

  /** The view of the first structure, unless the room placed the camera before. */
  fitFirst(extent: Extent): void {
    this.measure(extent);
    if (this.placed || this.guided) return;
    this.camera.lookFrom(new Vector3(0.36, 0.24, 0.9), new Vector3(0, 1, 0));
    this.fit(extent);
  }

  /** Another structure of another size, as after Supercell. A trajectory whose atoms move apart keeps its camera. */
  fitIfOther(extent: Extent): void {
    if (!this.guided && this.fitted && differsMuch(this.fitted, this.bounds)) this.fit(extent);
  }

  lookFrom(from: Vector3, at: Vector3, up: Vector3, zoom: number): boolean {
    if (!this.camera.lookAt(from, at, up, zoom)) return false;
    this.placed = true;
    this.fitted = null;
    return true;
  }

  /** Another person moves the camera: until `release` it is not fitted. */
  guide(): void {
    this.guided = true;
  }

  /** The camera stays where it was guided to, until a structure comes whose size is not that of the one in view. */
  release(): void {
    if (!this.guided) return;
    this.guided = false;
    if (this.placed && !this.fitted) return;
    this.fitted = { centre: this.bounds.centre.clone(), radius: this.bounds.radius };
  }

  forget(): void {
    this.placed = false;
    this.fitted = null;
    this.guided = false;
  }
}
