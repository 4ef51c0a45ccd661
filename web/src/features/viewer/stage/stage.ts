// The three-dimensional scene of the viewer, without React: atoms, bonds, vectors, cell, camera and listeners.
import { Scene, Vector3, type WebGLRenderer } from "three";
import { BondWorkerClient } from "../bonds/bondWorkerClient";
import { hasVolume } from "../bonds/unitCell";
import { haveSameAtoms, type Structure } from "../structure";
import { applyColours, applyMarks, applyRadii } from "./atomAppearance";
import { type BoundingSphere, differsMuch, pointsToFit, updateBounds } from "./bounds";
import { OrbitCamera } from "./camera";
import { AtomTextures } from "./layers/atomTextures";
import { cellCorners } from "./layers/cell";
import { shaderColour, sharedUniforms, updateView } from "./layers/materials";
import { RenderLoop } from "./renderLoop";
import type { StageEvents } from "./stageEvents";
import { StageLayers } from "./stageLayers";
import {
  colourSource,
  DEFAULT_ROOM_APPEARANCE,
  DEFAULT_STYLE,
  type RoomAppearance,
  type Style,
  showsBonds,
} from "./style";
import { LIGHT, type StageTheme } from "./theme";

/** From this number of atoms on, a software renderer draws coarser images. */
const LARGE_STRUCTURE = 20_000;
const FIT_MARGIN = 0.8;

export class Stage {
  readonly orbitCamera = new OrbitCamera();
  readonly atoms = new AtomTextures();
  readonly scene = new Scene();
  readonly shared = sharedUniforms();
  readonly canvas: HTMLCanvasElement;
  /** Whether WebGL runs on the processor instead of a graphics card. */
  readonly software: boolean;
  style: Style = DEFAULT_STYLE;
  room: RoomAppearance = DEFAULT_ROOM_APPEARANCE;
  theme: StageTheme = LIGHT;
  structure: Structure | null = null;
  /** Atoms of the structure whose positions are not finite numbers; they cannot be drawn. */
  nowhere = 0;
  /** Pixels at the left and right edge that are kept free: the toolbar covers one of them. */
  fitInset = 0;

  private readonly loop: RenderLoop;
  private readonly layers: StageLayers;
  private readonly bondWorker: BondWorkerClient;
  private readonly bounds: BoundingSphere = { centre: new Vector3(), radius: 5 };
  /** Scene objects may extend beyond the atoms. */
  private sceneBounds: BoundingSphere | null = null;
  private readonly drawnListeners = new Set<() => void>();
  private readonly showListeners = new Set<(structure: Structure) => void>();
  private selection: ReadonlySet<number> = new Set();
  private hovered = -1;
  /** The extent that the camera was fitted to; null if the room or nobody placed the camera. */
  private fitted: BoundingSphere | null = null;
  /** Whether a camera position was set before the first structure was shown. */
  private cameraPlaced = false;
  /** Whether the current structure has not been drawn yet. */
  private undrawn = false;
  /** The structure that the image in progress shows for the first time. */
  private presenting: Structure | null = null;

  constructor(
    host: HTMLElement,
    private readonly events: StageEvents = {},
  ) {
    this.loop = new RenderLoop(host, {
      render: (renderer) => this.render(renderer),
      drawn: () => this.afterDraw(),
      presented: () => this.afterPresent(),
      resized: (width, height) => this.orbitCamera.resize(width, height),
      contextLost: (lost) => this.onContextLost(lost),
      isLarge: () => this.atoms.count > LARGE_STRUCTURE,
    });
    this.canvas = this.loop.canvas;
    this.software = this.loop.software;
    this.layers = new StageLayers(this.atoms, this.scene, this.shared, !this.software);
    this.scene.matrixWorldAutoUpdate = false;
    this.bondWorker = new BondWorkerClient((cylinders, atoms) => this.setBonds(cylinders, atoms));
    this.setTheme(LIGHT);
    this.loop.start();
  }

  show(structure: Structure): void {
    const before = this.structure;
    this.structure = structure;
    const sameAtoms = before !== null && haveSameAtoms(before, structure);
    this.atoms.resize(structure.count);
    this.atoms.setPositions(structure.positions);
    if (!sameAtoms) {
      this.updateRadii();
      this.hovered = -1;
    }
    if (!sameAtoms || colourSource(this.style, this.room)) this.updateColours();
    if (this.software && structure.count > LARGE_STRUCTURE && !sameAtoms) this.loop.expectSlowFrames();
    if (!before) this.placeCamera();
    if (!before || !sameAtoms || before.cell !== structure.cell) this.updateCell();
    this.updateBounds();
    // Another structure of another size, as after Supercell. A trajectory whose atoms move apart keeps its camera.
    if (!sameAtoms && this.fitted && differsMuch(this.fitted, this.bounds)) this.fitCamera();
    this.layers.showVectors(this.structure, this.style);
    this.requestBonds();
    for (const listener of this.showListeners) listener(structure);
    this.undrawn = true;
    this.invalidate();
  }

  /** Forget the structure when another room is opened; the camera fits the next structure again. */
  clear(): void {
    this.structure = null;
    this.cameraPlaced = false;
    this.fitted = null;
    this.hovered = -1;
    this.atoms.resize(0);
    this.layers.showVectors(this.structure, this.style);
    this.updateCell();
  }

  setStyle(style: Style): void {
    const before = this.style;
    this.style = style;
    if (before.flat !== style.flat) this.orbitCamera.flat = style.flat;
    if (before.representation !== style.representation || before.atomScale !== style.atomScale)
      this.updateRadii();
    this.updateColours();
    this.updateCell();
    this.layers.showVectors(this.structure, this.style);
    if (!showsBonds(before, this.room) || before.tolerance !== style.tolerance) this.requestBonds();
    this.invalidate();
  }

  setRoomAppearance(room: RoomAppearance): void {
    this.room = room;
    this.updateRadii();
    this.updateColours();
    this.updateCell();
    this.requestBonds();
    this.layers.setOutlineColours(this.room, this.theme);
    this.invalidate();
  }

  setTheme(theme: StageTheme): void {
    this.theme = theme;
    const background = shaderColour(theme.background);
    this.shared.background.value.copy(background);
    this.shared.shine.value = theme.shine;
    this.loop.renderer.setClearColor(background.clone().convertSRGBToLinear(), 1);
    this.layers.setOutlineColours(this.room, this.theme);
    this.updateCell();
    this.invalidate();
  }

  setSelection(selection: ReadonlySet<number>): void {
    this.selection = selection;
    this.updateMarks();
  }

  setHovered(atom: number): void {
    if (atom === this.hovered) return;
    this.hovered = atom;
    this.updateMarks();
  }

  /** Subscribe to every structure that is shown. */
  onShow(listener: (structure: Structure) => void): () => void {
    this.showListeners.add(listener);
    return () => this.showListeners.delete(listener);
  }

  /** Subscribe to every drawn image; overlays move with the scene. */
  onDrawn(listener: () => void): () => void {
    this.drawnListeners.add(listener);
    return () => this.drawnListeners.delete(listener);
  }

  /** Look at the point `at` from the point `from`. */
  lookFrom(from: Vector3, at: Vector3, up: Vector3, zoom: number): void {
    if (!this.orbitCamera.lookAt(from, at, up, zoom)) return;
    this.cameraPlaced = true;
    this.fitted = null;
    this.invalidate();
  }

  /** Extend the depth range of the camera to the scene objects. */
  setSceneBounds(bounds: BoundingSphere | null): void {
    this.sceneBounds = bounds;
    this.invalidate();
  }

  fit(): void {
    this.updateBounds();
    this.fitCamera();
    this.invalidate();
  }

  invalidate(): void {
    this.loop.invalidate();
  }

  /** Draw at once with the given pixel ratio and return a copy of the image. */
  image(scale: number): HTMLCanvasElement {
    return this.loop.image(scale);
  }

  dispose(): void {
    this.bondWorker.dispose();
    this.layers.dispose();
    this.atoms.dispose();
    this.loop.dispose();
  }

  private render(renderer: WebGLRenderer): void {
    const { orbitCamera, bounds, sceneBounds, shared } = this;
    const radius = sceneBounds
      ? Math.max(bounds.radius, sceneBounds.radius + sceneBounds.centre.distanceTo(bounds.centre))
      : bounds.radius;
    orbitCamera.update(bounds.centre, radius * 1.05 + 2);
    const ratio = renderer.getPixelRatio();
    updateView(shared, orbitCamera, bounds, ratio, this.style.haze);
    this.layers.setPixelRatio(ratio);
    renderer.render(this.scene, orbitCamera.camera);
  }

  private afterDraw(): void {
    for (const listener of this.drawnListeners) listener();
    if (this.undrawn) this.presenting = this.structure;
    this.undrawn = false;
  }

  private afterPresent(): void {
    const shown = this.presenting;
    this.presenting = null;
    if (shown && shown === this.structure) this.events.shown?.(shown);
  }

  private onContextLost(lost: boolean): void {
    this.events.lost?.(lost);
    if (lost) return;
    this.atoms.positionTexture.needsUpdate = true;
    this.atoms.colourTexture.needsUpdate = true;
  }

  private placeCamera(): void {
    this.updateBounds();
    this.orbitCamera.flat = this.style.flat;
    if (this.cameraPlaced) return;
    this.orbitCamera.lookFrom(new Vector3(0.36, 0.24, 0.9), new Vector3(0, 1, 0));
    this.fitCamera();
  }

  private fitCamera(): void {
    const points = pointsToFit(this.atoms, this.shownCellCorners());
    this.orbitCamera.fit(this.bounds.centre, points, 4, FIT_MARGIN, this.fitInset);
    this.fitted = { centre: this.bounds.centre.clone(), radius: this.bounds.radius };
  }

  private updateBounds(): void {
    if (!this.structure || this.structure.count === 0) return;
    this.nowhere = updateBounds(this.bounds, this.atoms, this.shownCellCorners());
  }

  private shownCellCorners(): [number, number, number][] {
    const cell = this.structure?.cell;
    return this.style.cell && cell && hasVolume(cell) ? cellCorners(cell) : [];
  }

  private updateRadii(): void {
    if (this.structure) applyRadii(this.atoms, this.structure, this.style, this.room);
  }

  private updateColours(): void {
    if (!this.structure) return;
    this.events.legend?.(applyColours(this.atoms, this.structure, this.style, this.room));
    this.updateMarks();
  }

  private updateMarks(): void {
    applyMarks(this.atoms, this.selection, this.hovered);
    this.updateLayers();
  }

  private updateLayers(): void {
    this.layers.showAtomsAndBonds(this.structure, this.style, this.room);
    this.invalidate();
  }

  private updateCell(): void {
    const cell = this.style.cell && this.room.cell ? (this.structure?.cell ?? null) : null;
    this.layers.showCell(cell, this.bounds.radius, this.room, this.theme);
    this.updateLayers();
  }

  private requestBonds(): void {
    const { structure, style, room } = this;
    if (!structure || !showsBonds(style, room)) return;
    const pbc = room.periodic ? structure.pbc : null;
    this.bondWorker.request({ ...structure, pbc, tolerance: style.tolerance ?? room.tolerance });
  }

  private setBonds(cylinders: Int32Array<ArrayBuffer>, atoms: number): void {
    this.layers.setBonds(cylinders, atoms, this.style.tolerance ?? this.room.tolerance);
    this.events.bonds?.(cylinders);
    this.updateLayers();
  }
}
