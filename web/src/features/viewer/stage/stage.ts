/**
 * The stage: everything that is drawn in three dimensions, without React. It draws when something changed and is still
 * otherwise.
 */
import { Scene, Vector3, WebGLRenderer } from "three";
import { colourMap, paint, type Range, rangeOf, shades } from "@/lib/atoms/colourmaps";
import { ELEMENT_COLOURS, element } from "@/lib/atoms/elements";
import { BondWorkerClient } from "../bonds/bondWorkerClient";
import { hasVolume } from "../bonds/unitCell";
import { type Structure, scalarsOf, vectorsOf } from "../structure";
import { OrbitCamera } from "./camera";
import { ArrowLayer } from "./layers/arrows";
import { AtomTextures, HOVERED, SELECTED, VISIBLE } from "./layers/atomTextures";
import { BondLayer } from "./layers/bonds";
import { cellCorners, cellEdges } from "./layers/cell";
import { CylinderLayer } from "./layers/cylinders";
import { shaderColour, sharedUniforms } from "./layers/materials";
import { SphereLayer } from "./layers/spheres";
import {
  atomRadius,
  colourSource,
  DEFAULT_ROOM_APPEARANCE,
  DEFAULT_STYLE,
  type RoomAppearance,
  type Style,
  showsBonds,
} from "./style";
import { LIGHT, type StageTheme } from "./theme";

export interface Legend extends Range {
  readonly key: string;
  readonly map: string;
}

export interface StageEvents {
  /** A structure is on the screen for the first time. */
  shown?(structure: Structure): void;
  /** Colours mean these numbers now; null: elements. */
  legend?(legend: Legend | null): void;
  bonds?(cylinders: Int32Array): void;
  /** The graphics card took its memory back (true), or gave it again (false). */
  lost?(lost: boolean): void;
}

const RESTING = 250;
/** After so many milliseconds a picture counts as done, whatever the graphics card says. */
const PATIENCE = 5_000;
/** Colours nobody chose: the theme's own are clearer. */
const USUAL_CELL = "#808080";
const USUAL_SELECTED = "#ffb300";
/** Width of the outline of chosen atoms, in pixels of the page. */
const OUTLINE = 3;
/** From here on a processor that draws is spared the finer picture, and begins with a coarser one. */
const MANY = 20_000;

export class Stage {
  readonly orbitCamera = new OrbitCamera();
  readonly atoms = new AtomTextures();
  readonly scene = new Scene();
  readonly shared = sharedUniforms();
  readonly canvas: HTMLCanvasElement;
  /** Whether the processor has to do the graphics card's work. */
  readonly software: boolean;
  style: Style = DEFAULT_STYLE;
  room: RoomAppearance = DEFAULT_ROOM_APPEARANCE;
  theme: StageTheme = LIGHT;
  structure: Structure | null = null;

  private readonly renderer: WebGLRenderer;
  private readonly spheres: SphereLayer;
  private readonly bonds: BondLayer;
  private readonly arrows: ArrowLayer;
  private readonly box: CylinderLayer;
  private readonly finder: BondWorkerClient;
  private readonly observer: ResizeObserver;
  private readonly ball = { centre: new Vector3(), radius: 5 };
  private readonly drawnListeners = new Set<() => void>();
  private readonly showListeners = new Set<(structure: Structure) => void>();
  private selection: ReadonlySet<number> = new Set();
  private hovered = -1;
  private pending = 0;
  private fresh = false;
  /** Whether somebody said from where to look before there was anything to see. */
  private placed = false;
  private coarse = 1;
  private sharp = false;
  private wanted = false;
  private wasSharp = false;
  private fence: WebGLSync | null = null;
  private drawnAt = 0;
  /** What the picture under way shows for the first time. */
  private presented: Structure | null = null;
  private slow = 0;
  private resting: ReturnType<typeof setTimeout> | undefined;
  /** Scene items may reach beyond the atoms. */
  private extra: { centre: Vector3; radius: number } | null = null;

  constructor(
    private readonly host: HTMLElement,
    private readonly events: StageEvents = {},
  ) {
    this.software = isSoftware();
    this.renderer = new WebGLRenderer({
      antialias: !this.software,
      powerPreference: "high-performance",
      stencil: false,
    });
    this.renderer.info.autoReset = true;
    this.canvas = this.renderer.domElement;
    this.canvas.style.display = "block";
    host.append(this.canvas);
    this.spheres = new SphereLayer(this.shared, !this.software);
    this.bonds = new BondLayer(this.shared);
    this.arrows = new ArrowLayer(this.shared);
    this.box = new CylinderLayer(this.shared);
    this.scene.add(this.spheres.mesh, this.bonds.mesh, this.arrows.mesh, this.box.mesh);
    this.scene.matrixWorldAutoUpdate = false;
    this.finder = new BondWorkerClient((cylinders, atoms) => this.bondsFound(cylinders, atoms));
    this.canvas.addEventListener("webglcontextlost", this.contextLost);
    this.canvas.addEventListener("webglcontextrestored", this.contextRestored);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(host);
    this.setTheme(LIGHT);
    this.resize();
  }

  // What is shown

  show(structure: Structure): void {
    const before = this.structure;
    this.structure = structure;
    const sameAtoms =
      before !== null && before.count === structure.count && same(before.numbers, structure.numbers);
    this.atoms.resize(structure.count);
    this.atoms.setPositions(structure.positions);
    if (!sameAtoms) {
      this.radii();
      this.hovered = -1;
    }
    if (!sameAtoms || colourSource(this.style, this.room)) this.colours();
    if (this.software && structure.count > MANY && !sameAtoms) this.slow = 200;
    if (!before) this.first();
    if (!before || !sameAtoms || before.cell !== structure.cell) this.cell();
    this.measureBall();
    this.vectors();
    this.askForBonds();
    for (const listener of this.showListeners) listener(structure);
    this.fresh = true;
    this.invalidate();
  }

  /** Another room: the next structure is seen as if it were the first. */
  clear(): void {
    this.structure = null;
    this.placed = false;
    this.hovered = -1;
    this.atoms.resize(0);
    this.vectors();
    this.cell();
  }

  setStyle(style: Style): void {
    const before = this.style;
    this.style = style;
    if (before.flat !== style.flat) this.orbitCamera.flat = style.flat;
    if (before.representation !== style.representation || before.atomScale !== style.atomScale) this.radii();
    this.colours();
    this.cell();
    this.vectors();
    if (!showsBonds(before, this.room) || before.tolerance !== style.tolerance) this.askForBonds();
    this.invalidate();
  }

  /** What the room says about its atoms. */
  setRoomAppearance(room: RoomAppearance): void {
    this.room = room;
    this.radii();
    this.colours();
    this.cell();
    this.askForBonds();
    this.outline();
    this.invalidate();
  }

  setTheme(theme: StageTheme): void {
    this.theme = theme;
    const background = shaderColour(theme.background);
    this.shared.background.value.copy(background);
    this.shared.shine.value = theme.shine;
    this.renderer.setClearColor(background.clone().convertSRGBToLinear(), 1);
    this.outline();
    this.cell();
    this.invalidate();
  }

  setSelection(selection: ReadonlySet<number>): void {
    this.selection = selection;
    this.marks();
  }

  setHovered(atom: number): void {
    if (atom === this.hovered) return;
    this.hovered = atom;
    this.marks();
  }

  /** Hear of every structure that is shown. */
  onShow(listener: (structure: Structure) => void): () => void {
    this.showListeners.add(listener);
    return () => this.showListeners.delete(listener);
  }

  /** Look at a point from another one. */
  lookFrom(from: Vector3, at: Vector3, up: Vector3, zoom: number): void {
    const direction = from.clone().sub(at);
    if (direction.length() < 1e-6) return;
    this.orbitCamera.lookFrom(direction, up);
    this.orbitCamera.target.copy(at);
    this.orbitCamera.distance = direction.length() / Math.max(zoom, 1e-3);
    this.placed = true;
    this.invalidate();
  }

  /** Make room in depth for what else is in the scene. */
  setSceneBounds(extra: { centre: Vector3; radius: number } | null): void {
    this.extra = extra;
    this.invalidate();
  }

  fit(): void {
    this.measureBall();
    this.fitAll();
    this.invalidate();
  }

  // Drawing

  /** Hear when something was drawn: labels move along. */
  onDrawn(listener: () => void): () => void {
    this.drawnListeners.add(listener);
    return () => this.drawnListeners.delete(listener);
  }

  invalidate(): void {
    this.sharp = false;
    this.wanted = true;
    this.schedule();
  }

  private schedule(): void {
    if (this.pending === 0) this.pending = requestAnimationFrame(this.tick);
  }

  /** Draw at once, at a scale, and hand over the picture. */
  picture(scale: number): HTMLCanvasElement {
    const { width, height } = this.host.getBoundingClientRect();
    const largest = this.renderer.capabilities.maxTextureSize;
    const ratio = Math.min(scale, largest / Math.max(width, height, 1));
    this.setRatio(ratio);
    this.render();
    const copy = document.createElement("canvas");
    copy.width = this.canvas.width;
    copy.height = this.canvas.height;
    copy.getContext("2d")?.drawImage(this.canvas, 0, 0);
    this.invalidate();
    return copy;
  }

  dispose(): void {
    cancelAnimationFrame(this.pending);
    clearTimeout(this.resting);
    this.observer.disconnect();
    this.finder.dispose();
    for (const layer of [this.spheres, this.bonds, this.arrows, this.box]) layer.dispose();
    this.atoms.dispose();
    this.canvas.removeEventListener("webglcontextlost", this.contextLost);
    this.canvas.removeEventListener("webglcontextrestored", this.contextRestored);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
    this.canvas.remove();
  }

  /**
   * Draw when the last picture is done: to send the next one earlier would only make the page wait for a slow graphics
   * card, or for the processor that stands in for it.
   */
  private readonly tick = (now: number): void => {
    this.pending = 0;
    if (!this.settled(now)) this.schedule();
    else if (this.wanted) this.draw(now);
  };

  private draw(now: number): void {
    this.wanted = false;
    this.adapt();
    this.render();
    for (const listener of this.drawnListeners) listener();
    this.presented = this.fresh ? this.structure : this.presented;
    this.fresh = false;
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    if (this.fence) gl.deleteSync(this.fence);
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    this.drawnAt = now;
    this.schedule();
  }

  /** Whether the last picture is on the screen; what is shown for the first time is told then. */
  private settled(now: number): boolean {
    if (!this.fence) return true;
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const done = gl.isContextLost() || gl.getSyncParameter(this.fence, gl.SYNC_STATUS) === gl.SIGNALED;
    if (!done && now - this.drawnAt < PATIENCE) return false;
    gl.deleteSync(this.fence);
    this.fence = null;
    if (!this.wasSharp) this.slow = 0.5 * this.slow + 0.5 * (now - this.drawnAt);
    const shown = this.presented;
    this.presented = null;
    if (shown && shown === this.structure) this.events.shown?.(shown);
    return true;
  }

  private render(): void {
    const { orbitCamera, ball, extra, shared } = this;
    const radius = extra
      ? Math.max(ball.radius, extra.radius + extra.centre.distanceTo(ball.centre))
      : ball.radius;
    orbitCamera.update(ball.centre, radius * 1.05 + 2);
    shared.flatView.value = orbitCamera.flat;
    const ratio = this.renderer.getPixelRatio();
    shared.pixel.value = orbitCamera.pixel / ratio;
    this.spheres.outline = OUTLINE * ratio;
    const away = orbitCamera.camera.position.distanceTo(ball.centre);
    shared.haze.value.set(away - ball.radius * 0.35, 1 / (ball.radius * 1.6));
    shared.hazeMost.value = this.style.haze ? 0.42 : 0;
    this.renderer.render(this.scene, orbitCamera.camera);
  }

  /**
   * Where drawing is slow, what moves is drawn coarser, and sharpened at rest. A processor that draws cannot smooth edges
   * on the way: at rest it draws larger and lets the browser scale the picture down.
   */
  private adapt(): void {
    this.coarse = this.slow > 90 ? 0.5 : this.slow > 30 ? this.coarse : 1;
    this.wasSharp = this.sharp;
    this.setRatio(this.sharp ? this.ratioAtRest() : this.ratioInMotion());
    clearTimeout(this.resting);
    if (!this.sharp && this.ratioAtRest() > this.ratioInMotion())
      this.resting = setTimeout(() => {
        this.sharp = true;
        this.wanted = true;
        this.schedule();
      }, RESTING);
    this.sharp = false;
  }

  private ratioInMotion(): number {
    return Math.min(globalThis.devicePixelRatio || 1, this.software ? 1 : 2) * this.coarse;
  }

  private ratioAtRest(): number {
    if (!this.software) return Math.min(globalThis.devicePixelRatio || 1, 2);
    return this.atoms.count > MANY ? 1 : 2;
  }

  private setRatio(ratio: number): void {
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
  }

  private resize(): void {
    const { width, height } = this.host.getBoundingClientRect();
    if (width < 1 || height < 1) return;
    this.setRatio(this.ratioInMotion());
    this.renderer.setSize(width, height);
    this.orbitCamera.resize(width, height);
    // At once: a canvas of a new size is empty, and would flash.
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    this.draw(performance.now());
  }

  // Parts of the picture

  private first(): void {
    this.measureBall();
    this.orbitCamera.flat = this.style.flat;
    if (this.placed) return;
    this.orbitCamera.lookFrom(new Vector3(0.36, 0.24, 0.9), new Vector3(0, 1, 0));
    this.fitAll();
  }

  private fitAll(): void {
    const { cell } = this.structure ?? {};
    const corners = this.style.cell && cell && hasVolume(cell) ? cellCorners(cell) : [];
    const { positions, count } = this.atoms;
    const points = new Float32Array(4 * (count + corners.length));
    points.set(positions.subarray(0, 4 * count));
    corners.forEach((corner, i) => {
      points.set(corner, 4 * (count + i));
    });
    this.orbitCamera.fit(this.ball.centre, points, 4, 0.8);
  }

  private outline(): void {
    const chosen = this.room.selected;
    const usual = chosen === null || chosen === USUAL_SELECTED;
    this.spheres.setOutline(
      shaderColour(usual ? this.theme.selected : chosen),
      shaderColour(this.theme.hovered),
    );
  }

  private radii(): void {
    const { structure, style, room } = this;
    if (!structure) return;
    const { radius: fixed, scale } = room;
    const filling = fixed === "vdw" && style.representation === "ball-and-stick";
    const representation = filling ? "space-filling" : style.representation;
    const radii = new Map<number, number>();
    const { numbers } = structure;
    this.atoms.setRadii((atom) => {
      let radius = radii.get(numbers[atom]!);
      if (radius === undefined) {
        const usual = typeof fixed === "number" ? fixed : atomRadius(representation, element(numbers[atom]!));
        radius = usual * style.atomScale * scale;
        radii.set(numbers[atom]!, radius);
      }
      return radius;
    });
  }

  private colours(): void {
    const { structure, style, room, atoms } = this;
    if (!structure) return;
    const by = colourSource(style, room);
    const values = by ? scalarsOf(structure, by.key) : null;
    if (by && values) {
      const map = colourMap(by.map);
      const range = by.range ?? rangeOf(values, map.diverging);
      paint(values, range, shades(map), atoms.colours);
      this.events.legend?.({ ...range, key: by.key, map: by.map });
    } else if (room.colour) {
      const { r, g, b } = shaderColour(room.colour);
      for (let i = 0; i < structure.count; i++) atoms.colours.set([r * 255, g * 255, b * 255], 4 * i);
      this.events.legend?.(null);
    } else {
      const { numbers, count } = structure;
      for (let i = 0; i < count; i++) {
        const from = 3 * (numbers[i]! < 119 && numbers[i]! > 0 ? numbers[i]! : 0);
        atoms.colours[4 * i] = ELEMENT_COLOURS[from]!;
        atoms.colours[4 * i + 1] = ELEMENT_COLOURS[from + 1]!;
        atoms.colours[4 * i + 2] = ELEMENT_COLOURS[from + 2]!;
      }
      this.events.legend?.(null);
    }
    this.marks();
  }

  private marks(): void {
    const { atoms, selection, hovered } = this;
    for (let i = 0; i < atoms.count; i++) atoms.colours[4 * i + 3] = VISIBLE;
    for (const atom of selection)
      if (atom >= 0 && atom < atoms.count) atoms.colours[4 * atom + 3]! |= SELECTED;
    if (hovered >= 0 && hovered < atoms.count) atoms.colours[4 * hovered + 3]! |= HOVERED;
    atoms.coloursChanged();
    this.layers();
  }

  private layers(): void {
    const { room } = this;
    this.spheres.show(this.atoms);
    this.spheres.mesh.visible &&= room.atoms;
    this.spheres.opacity = room.opacity;
    this.bonds.thickness = room.thickness;
    this.bonds.show(this.atoms, this.structure?.cell ?? null, showsBonds(this.style, room));
    this.invalidate();
  }

  private vectors(): void {
    const { structure, style } = this;
    const vectors = structure && style.vectors ? vectorsOf(structure, style.vectors) : null;
    this.arrows.show(this.atoms, vectors, style.vectorScale);
  }

  private cell(): void {
    const { room, theme } = this;
    const cell = this.style.cell && room.cell ? (this.structure?.cell ?? null) : null;
    const usual = room.cellColour === null || room.cellColour === USUAL_CELL;
    const line = usual ? theme.line : (room.cellColour ?? theme.line);
    this.box.set(cell && hasVolume(cell) ? cellEdges(cell, this.ball.radius, line) : []);
    this.layers();
  }

  private askForBonds(): void {
    const { structure, style, room } = this;
    if (!structure || !showsBonds(style, room)) return;
    const pbc = room.periodic ? structure.pbc : null;
    this.finder.request({ ...structure, pbc, tolerance: style.tolerance ?? room.tolerance });
  }

  private bondsFound(cylinders: Int32Array<ArrayBuffer>, atoms: number): void {
    this.bonds.setBonds(cylinders, atoms, 2 * 2.6 * (this.style.tolerance ?? this.room.tolerance));
    this.events.bonds?.(cylinders);
    this.layers();
  }

  private measureBall(): void {
    const { structure, ball } = this;
    if (!structure || structure.count === 0) return;
    const low = new Vector3().setScalar(Number.POSITIVE_INFINITY);
    const high = new Vector3().setScalar(Number.NEGATIVE_INFINITY);
    const point = new Vector3();
    const { positions, count } = this.atoms;
    for (let i = 0; i < count; i++) {
      point.set(positions[4 * i]!, positions[4 * i + 1]!, positions[4 * i + 2]!);
      if (!Number.isFinite(point.x + point.y + point.z)) continue;
      low.min(point);
      high.max(point);
    }
    const { cell } = structure;
    if (this.style.cell && cell && hasVolume(cell))
      for (const corner of cellCorners(cell)) {
        low.min(point.fromArray(corner));
        high.max(point);
      }
    if (low.x > high.x) return;
    ball.centre.copy(low).add(high).multiplyScalar(0.5);
    ball.radius = low.distanceTo(high) / 2 + 1.2;
  }

  private readonly contextLost = (event: Event): void => {
    // Otherwise the browser never gives it back.
    event.preventDefault();
    cancelAnimationFrame(this.pending);
    this.pending = 0;
    this.fence = null;
    this.events.lost?.(true);
  };

  private readonly contextRestored = (): void => {
    this.events.lost?.(false);
    this.atoms.positionTexture.needsUpdate = true;
    this.atoms.colourTexture.needsUpdate = true;
    this.invalidate();
  };
}

function same(one: Int32Array, other: Int32Array): boolean {
  if (one === other) return true;
  for (let i = 0; i < one.length; i++) if (one[i]! !== other[i]!) return false;
  return one.length === other.length;
}

function isSoftware(): boolean {
  const probe = document.createElement("canvas").getContext("webgl2");
  if (!probe) return false;
  const debug = probe.getExtension("WEBGL_debug_renderer_info");
  const name = String(probe.getParameter(debug ? debug.UNMASKED_RENDERER_WEBGL : probe.RENDERER));
  probe.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
