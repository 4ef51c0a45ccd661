// The layers that are drawn for a structure: atoms, bonds, vectors and the edges of the cell.
import type { Scene } from "three";
import { type Structure, vectorsOf } from "@/lib/atoms/structure";
import { hasVolume } from "@/lib/atoms/unitCell";
import { type RoomAppearance, type Style, showsBonds } from "./appearance/style";
import type { StageTheme } from "./appearance/theme";
import { ArrowLayer } from "./layers/arrows";
import type { AtomTextures } from "./layers/atomTextures";
import { BondLayer } from "./layers/bonds";
import { cellEdges } from "./layers/cell";
import { CylinderLayer } from "./layers/cylinders";
import { type SharedUniforms, shaderColour } from "./layers/materials";
import { PolyhedronLayer } from "./layers/polyhedra";
import { SphereLayer } from "./layers/spheres";
import { type Offset, replicate } from "./periodicImages";

/** Default colours of new rooms. The stage replaces them by the colours of its theme, which have more contrast. */
const DEFAULT_CELL_COLOUR = "#808080";
const DEFAULT_SELECTION_COLOUR = "#ffb300";
/** Width of the outline of selected atoms, in CSS pixels. */
const OUTLINE_PX = 3;

export class StageLayers {
  private readonly spheres: SphereLayer;
  private readonly bonds: BondLayer;
  private readonly arrows: ArrowLayer;
  private readonly cell: CylinderLayer;
  private readonly polyhedra: PolyhedronLayer;
  private offsets: readonly Offset[] = [[0, 0, 0]];
  /** The bonds of the structure; polyhedra are made of them. */
  private cylinders: Int32Array | null = null;

  constructor(
    private readonly atoms: AtomTextures,
    scene: Scene,
    shared: SharedUniforms,
    antialias: boolean,
  ) {
    this.spheres = new SphereLayer(shared, antialias);
    this.bonds = new BondLayer(shared);
    this.arrows = new ArrowLayer(shared);
    this.cell = new CylinderLayer(shared);
    this.polyhedra = new PolyhedronLayer(shared);
    scene.add(this.spheres.mesh, this.bonds.mesh, this.arrows.mesh, this.cell.mesh, this.polyhedra.group);
  }

  showAtomsAndBonds(structure: Structure | null, style: Style, room: RoomAppearance): void {
    this.spheres.show(this.atoms);
    this.spheres.mesh.visible &&= room.atoms;
    this.spheres.opacity = room.opacity;
    this.bonds.thickness = room.thickness;
    this.bonds.show(this.atoms, structure?.cell ?? null, showsBonds(style, room));
  }

  setBonds(cylinders: Int32Array<ArrayBuffer>, atomCount: number, tolerance: number): void {
    this.cylinders = cylinders;
    this.bonds.setBonds(cylinders, atomCount, 2 * 2.6 * tolerance);
  }

  get bondCylinders(): Int32Array {
    return this.cylinders ?? new Int32Array(0);
  }

  showVectors(structure: Structure | null, style: Style): void {
    const vectors = structure && style.vectors ? vectorsOf(structure, style.vectors) : null;
    this.arrows.show(this.atoms, vectors, style.vectorScale);
  }

  showCell(cell: ArrayLike<number> | null, radius: number, room: RoomAppearance, theme: StageTheme): void {
    const isDefault = room.cellColour === null || room.cellColour === DEFAULT_CELL_COLOUR;
    const colour = isDefault ? theme.line : (room.cellColour ?? theme.line);
    this.cell.set(cell && hasVolume(cell) ? cellEdges(cell, radius, colour) : []);
  }

  /** With bonds of another structure there are none, until its own are found. */
  showPolyhedra(structure: Structure | null, { polyhedra }: Style): void {
    const known = polyhedra && structure && this.bonds.isOf(structure.count) ? this.cylinders : null;
    this.polyhedra.show(structure, known, this.atoms, this.offsets);
  }

  /** Draw everything once at each offset. */
  setReplicas(offsets: readonly Offset[]): void {
    this.offsets = offsets;
    for (const { mesh } of [this.spheres, this.bonds, this.arrows, this.cell]) replicate(mesh, offsets);
  }

  setOutlineColours({ selected }: RoomAppearance, theme: StageTheme): void {
    const isDefault = selected === null || selected === DEFAULT_SELECTION_COLOUR;
    this.spheres.setOutline(shaderColour(isDefault ? theme.selected : selected), shaderColour(theme.hovered));
  }

  showRings(shown: boolean): void {
    this.spheres.rings = shown;
  }

  setPixelRatio(ratio: number): void {
    this.spheres.outline = OUTLINE_PX * ratio;
  }

  dispose(): void {
    for (const layer of [this.spheres, this.bonds, this.arrows, this.cell, this.polyhedra]) layer.dispose();
  }
}
