// The three-dimensional scene of the viewer, without React: atoms, bonds, vectors, cell, camera and listeners. It is one long
// file, because the order in which its parts are updated is decided here alone.
import { Scene, type Vector3, type WebGLRenderer } from "three";
import { colourMap } from "@/lib/atoms/colourmaps";
import { haveSameAtoms, type Structure, scalarsOf } from "@/lib/atoms/structure";
import { hasVolume } from "@/lib/atoms/unitCell";
import { wrapIntoCell } from "@/lib/atoms/wrapIntoCell";
import type { CameraView } from "@/lib/room/cameraFollow";
import { BondWorkerClient } from "../bonds/bondWorkerClient";
import { connectivityOf } from "../bonds/givenBonds";
import { applyColours, applyRadii, type Legend } from "./appearance/atomAppearance";
import { AtomMarks } from "./appearance/atomMarks";
import { clearness } from "./appearance/opacity";
import { materialOf } from "./appearance/sceneLook";
import {
  colourSource,
  DEFAULT_ROOM_APPEARANCE,
  DEFAULT_STYLE,
  type RoomAppearance,
  type Style,
  showsBonds,
} from "./appearance/style";
import { LIGHT, type StageTheme, themeWith } from "./appearance/theme";
import type { Visibility } from "./appearance/visibility";
import type { BoundingSphere } from "./camera/bounds";
import { OrbitCamera } from "./camera/camera";
import { CameraFit, type Extent } from "./camera/cameraFit";
import { AtomTextures } from "./layers/atomTextures";
import { cellCorners } from "./layers/cell";
import { shaderColour, sharedUniforms, updateLight, updateView } from "./layers/materials";
import { type Offset, replicaOffsets } from "./periodicImages";
import { atomsInFront } from "./pointer/atomsInFront";
import type { PointerTool } from "./pointer/pointerTool";
import { HANDLES } from "./pointer/transformGizmo";
import { RenderLoop } from "./renderLoop";
import type { StageEvents } from "./stageEvents";
import { StageLayers } from "./stageLayers";

/** From this number of atoms on, a software renderer draws coarser images. */
const LARGE_STRUCTURE = 20_000;

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
  private pageTheme: StageTheme = LIGHT;
  /** What is drawn; with the wrapped view its positions are others than those of the frame. */
  structure: Structure | null = null;
  /** The structure as it was given. */
  private given: Structure | null = null;
  /** The numbers that the colours stand for; null while atoms are coloured otherwise. */
  legend: Legend | null = null;
  /** Where the structure and its periodic images are drawn. */
  offsets: readonly Offset[] = [[0, 0, 0]];

  /** What takes the pointer before the camera and the selection do; null while no tool is in use. */
  pointerTool: PointerTool | null = null;

  /** Where the camera looks. */
  readonly view = new CameraFit(this.orbitCamera);

  private readonly loop: RenderLoop;
  private readonly layers: StageLayers;
  private readonly bondWorker: BondWorkerClient;
  private readonly drawnListeners = new Set<() => void>();
  private readonly showListeners = new Set<(structure: Structure) => void>();
  private readonly marks = new AtomMarks();
  /** The key whose values had both signs in a frame: its map stays the same in the others. */
  private signedKey: string | null = null;
  /** The structure whose bonds were requested last; null if they were requested with other settings than now. */
  private bondsOf: Structure | null = null;
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

  show(given: Structure): void {
    const before = this.structure;
    const structure = this.style.wrapped ? wrapIntoCell(given) : given;
    this.given = given;
    this.structure = structure;
    const sameAtoms = before !== null && haveSameAtoms(before, structure);
    this.atoms.resize(structure.count);
    this.atoms.setPositions(structure.positions);
    const remarked = this.marks.show(structure, sameAtoms);
    if (!sameAtoms) this.updateRadii();
    if (!sameAtoms || colourSource(this.style, this.room)) this.updateColours();
    else if (remarked) this.updateMarks();
    if (this.software && structure.count > LARGE_STRUCTURE && !sameAtoms) this.loop.expectSlowFrames();
    this.updateReplicas();
    if (!before) {
      this.takeOwnProjection();
      this.view.fitFirst(this.extent);
    }
    if (!before || !sameAtoms || before.cell !== structure.cell) this.updateCell();
    this.view.measure(this.extent);
    if (!sameAtoms) this.view.fitIfOther(this.extent);
    this.layers.showVectors(this.structure, this.style);
    this.layers.showPolyhedra(this.structure, this.style);
    if (this.needsBonds(this.style)) this.requestBonds();
    for (const listener of this.showListeners) listener(structure);
    this.undrawn = true;
    this.invalidate();
  }

  /** Draw the atoms at other positions until the next structure is shown. */
  preview(positions: ArrayLike<number>): void {
    this.atoms.setPositions(positions);
    this.invalidate();
  }

  /** Forget the structure when another room is opened; the camera fits the next structure again. */
  clear(): void {
    this.structure = null;
    this.given = null;
    this.signedKey = null;
    this.bondsOf = null;
    this.view.forget();
    this.marks.hovered = -1;
    this.atoms.resize(0);
    this.layers.showVectors(this.structure, this.style);
    this.layers.showPolyhedra(this.structure, this.style);
    this.updateCell();
  }

  setStyle(style: Style): void {
    const before = this.style;
    this.style = style;
    if (before.flat !== style.flat) this.orbitCamera.flat = style.flat;
    if (before.field !== style.field) this.orbitCamera.field = style.field;
    this.applyTheme();
    if (before.representation !== style.representation || before.atomScale !== style.atomScale)
      this.updateRadii();
    this.updateColours();
    this.updateReplicas();
    this.updateCell();
    this.layers.showVectors(this.structure, this.style);
    this.layers.showPolyhedra(this.structure, this.style);
    if (before.tolerance !== style.tolerance || before.metalBonds !== style.metalBonds) this.bondsOf = null;
    if (this.needsBonds(style) && this.bondsOf !== this.structure) this.requestBonds();
    if (before.wrapped !== style.wrapped && this.given) this.show(this.given);
    if (before.replicas.some((count, axis) => count !== style.replicas[axis])) this.fit();
    this.invalidate();
  }

  setRoomAppearance(room: RoomAppearance): void {
    this.room = room;
    this.updateRadii();
    this.updateColours();
    this.updateCell();
    this.bondsOf = null;
    if (this.needsBonds(this.style)) this.requestBonds();
    this.applyTheme();
  }

  setTheme(theme: StageTheme): void {
    this.pageTheme = theme;
    this.applyTheme();
  }

  /** The colours of the page or of the user, and the lights. */
  private applyTheme(): void {
    const theme = themeWith(this.pageTheme, this.style.background);
    this.theme = theme;
    this.paintBackground(theme.background);
    updateLight(this.shared, this.style, materialOf(this.style, this.room.material), theme.shine);
    this.layers.setOutlineColours(this.room, this.theme);
    this.updateCell();
    this.invalidate();
  }

  private paintBackground(css: string): void {
    const background = shaderColour(css);
    this.shared.background.value.copy(background);
    this.loop.renderer.setClearColor(background.clone().convertSRGBToLinear(), 1);
  }

  setSelection(selection: ReadonlySet<number>): void {
    this.marks.selection = selection;
    this.updateMarks();
  }

  setHovered(atom: number): void {
    if (atom === this.marks.hovered) return;
    this.marks.hovered = atom;
    this.updateMarks();
  }

  setVisibility(visibility: Visibility): void {
    this.marks.setVisibility(visibility, this.structure);
    this.updateMarks();
    this.layers.showPolyhedra(this.structure, this.style);
  }

  /** Of the image, in pixels of the page; also while the panel is not shown. */
  get size(): { width: number; height: number } {
    return this.loop.size;
  }

  /** How many atoms of the structure the user hid. */
  get hiddenCount(): number {
    return this.marks.hiddenCount;
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
    if (this.view.lookFrom(from, at, up, zoom)) this.invalidate();
  }

  /** Put the camera where another person's is. */
  placeCamera(view: CameraView): void {
    this.orbitCamera.state = view;
    this.view.guide();
    this.invalidate();
  }

  /** The camera is the user's again: it stays where it is, with the projection that the user has chosen. */
  releaseCamera(): void {
    this.view.release();
    this.takeOwnProjection();
  }

  private takeOwnProjection(): void {
    this.orbitCamera.flat = this.style.flat;
    this.orbitCamera.field = this.style.field;
    this.invalidate();
  }

  /** Extend the depth range of the camera to the scene objects. */
  setSceneBounds(bounds: BoundingSphere | null): void {
    this.view.sceneBounds = bounds;
    this.invalidate();
  }

  /** The first view of the structure. */
  resetCamera(): void {
    this.view.forget();
    this.view.fitFirst(this.extent);
    this.invalidate();
  }

  /** Look at the structure from a direction. */
  lookAlong(direction: Vector3, up: Vector3): void {
    this.orbitCamera.lookFrom(direction, up);
    this.fit();
  }

  fit(): void {
    this.view.fit(this.extent);
    this.invalidate();
  }

  /** Those of the atoms that others do not hide. */
  inFront(atoms: readonly number[]): number[] {
    const { matrixWorldInverse: view, projectionMatrix: projection } = this.orbitCamera.camera;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const hides = this.room.atoms && this.room.opacity >= 1;
    return atomsInFront(this.atoms, this.offsets, { view, projection, width, height }, atoms, hides);
  }

  invalidate(): void {
    this.loop.invalidate();
  }

  /** The bonds of the shown structure; searched for now if nothing that is drawn needs them. */
  async bondsFound(): Promise<Int32Array> {
    if (this.bondsOf !== this.structure) this.requestBonds();
    await this.bondWorker.idle();
    return this.layers.bondCylinders;
  }

  /** Until what is drawn with the shown structure is complete. */
  async complete(): Promise<void> {
    if (this.needsBonds(this.style)) await this.bondsFound();
  }

  /**
   * Draw at once with the given pixel ratio and return a copy of the image; `background` replaces that of the theme. Handles of
   * tools are left out, and so are the rings of the selection unless they are asked for.
   */
  image(scale: number, { background = this.theme.background, rings = false } = {}): HTMLCanvasElement {
    const handles = this.scene.getObjectByName(HANDLES);
    if (handles) handles.visible = false;
    this.layers.showRings(rings);
    this.paintBackground(background);
    const image = this.loop.image(scale);
    this.paintBackground(this.theme.background);
    this.layers.showRings(true);
    if (handles) handles.visible = true;
    return image;
  }

  dispose(): void {
    this.bondWorker.dispose();
    this.layers.dispose();
    this.atoms.dispose();
    this.loop.dispose();
  }

  private render(renderer: WebGLRenderer): void {
    const { orbitCamera, view, shared } = this;
    orbitCamera.update(view.bounds.centre, view.radius * 1.05 + 2);
    const ratio = renderer.getPixelRatio();
    updateView(shared, orbitCamera, view.bounds, ratio, this.style.haze);
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

  private get extent(): Extent {
    return { atoms: this.atoms, corners: this.shownCellCorners(), offsets: this.offsets };
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
    this.legend = applyColours(this.atoms, this.structure, this.style, this.room, this.signedKey);
    const { opacityBy } = this.style;
    const values = this.legend && opacityBy ? scalarsOf(this.structure, this.legend.key) : null;
    this.marks.clear = this.legend && opacityBy && values ? clearness(values, this.legend, opacityBy) : null;
    if (this.legend && colourMap(this.legend.map).diverging) this.signedKey = this.legend.key;
    this.events.legend?.(this.legend);
    this.updateMarks();
  }

  private updateMarks(): void {
    this.marks.apply(this.atoms);
    this.updateLayers();
  }

  private updateLayers(): void {
    this.layers.showAtomsAndBonds(this.structure, this.style, this.room);
    this.invalidate();
  }

  private updateCell(): void {
    const cell = this.style.cell && this.room.cell ? (this.structure?.cell ?? null) : null;
    this.layers.showCell(cell, this.view.bounds.radius, this.room, this.theme);
    this.updateLayers();
  }

  private updateReplicas(): void {
    this.offsets = replicaOffsets(this.structure?.cell ?? null, this.style.replicas, this.atoms.count);
    this.layers.setReplicas(this.offsets);
  }

  /** Polyhedra are made of bonds that need not be drawn themselves. */
  private needsBonds(style: Style): boolean {
    return style.polyhedra || showsBonds(style, this.room);
  }

  private requestBonds(): void {
    const { structure, style, room } = this;
    if (!structure) return;
    this.bondsOf = structure;
    const pbc = room.periodic ? structure.pbc : null;
    const tolerance = style.tolerance ?? room.tolerance;
    const query = { ...structure, pbc, tolerance, metals: style.metalBonds };
    this.bondWorker.request(query, connectivityOf(structure.frame));
  }

  private setBonds(cylinders: Int32Array<ArrayBuffer>, atoms: number): void {
    this.layers.setBonds(cylinders, atoms, this.style.tolerance ?? this.room.tolerance);
    this.layers.showPolyhedra(this.structure, this.style);
    this.updateLayers();
  }
}
