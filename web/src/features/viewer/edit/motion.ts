/** Motions of a group of atoms: a shift, and a turn about the centre of the group. */
import type { Structure } from "@/lib/atoms/structure";
import type { Vec3 } from "@/lib/atoms/unitCell";
import { findBonds, unpackShift } from "../bonds/findBonds";

/** x, y, z, w. */
export type Turn = readonly [number, number, number, number];

export interface Motion {
  readonly shift: Vec3;
  readonly turn: Turn;
}

export interface AtomGroup {
  readonly atoms: readonly number[];
  /** Where each atom is beside the others: molecules that the faces of the cell cut are whole here. */
  readonly images: Float64Array;
  readonly centre: Vec3;
}

export const NO_TURN: Turn = [0, 0, 0, 1];
export const NO_MOTION: Motion = { shift: [0, 0, 0], turn: NO_TURN };
const BOND_TOLERANCE = 1.2;

type Atoms = Pick<Structure, "count" | "numbers" | "positions" | "cell" | "pbc">;

/** The atoms as one rigid group; null without an atom that has a place. */
export function groupOf(structure: Atoms, selected: readonly number[]): AtomGroup | null {
  const { positions, numbers, cell, pbc } = structure;
  const atoms = selected.filter(
    (atom) =>
      atom < structure.count && [0, 1, 2].every((axis) => Number.isFinite(positions[3 * atom + axis]!)),
  );
  if (atoms.length === 0) return null;
  const images = new Float64Array(3 * atoms.length);
  for (const [at, atom] of atoms.entries())
    for (let axis = 0; axis < 3; axis++) images[3 * at + axis] = positions[3 * atom + axis]!;
  if (cell && pbc.some(Boolean)) joinMolecules(images, atoms, { numbers, cell, pbc });
  const centre = [0, 0, 0] as [number, number, number];
  for (let at = 0; at < images.length; at++) centre[at % 3]! += images[at]! / atoms.length;
  return { atoms, images, centre };
}

/**
 * Move atoms to the images that are bonded to others of the group. Bonds within the cell are followed first, so that only what
 * hangs together through a face alone is moved.
 */
function joinMolecules(
  images: Float64Array,
  atoms: readonly number[],
  { numbers, cell, pbc }: Pick<Atoms, "numbers" | "cell" | "pbc">,
): void {
  const places = images.slice();
  const kinds = Int32Array.from(atoms, (atom) => numbers[atom]!);
  const bonds = findBonds({ positions: places, numbers: kinds, cell, pbc, tolerance: BOND_TOLERANCE });
  const links = new Map<number, { to: number; cells: Vec3 }[]>();
  const link = (from: number, to: number, cells: Vec3) => {
    const known = links.get(from);
    if (known) known.push({ to, cells });
    else links.set(from, [{ to, cells }]);
  };
  for (let at = 0; at < bonds.length; at += 3) {
    const [x, y, z] = unpackShift(bonds[at + 2]!);
    link(bonds[at]!, bonds[at + 1]!, [x, y, z]);
    link(bonds[at + 1]!, bonds[at]!, [-x, -y, -z]);
  }
  const placed = new Uint8Array(atoms.length);
  for (let root = 0; root < atoms.length; root++) {
    if (placed[root]) continue;
    placed[root] = 1;
    const within = [root];
    const across: { from: number; to: number; cells: Vec3 }[] = [];
    for (;;) {
      const from = within.pop();
      if (from !== undefined) {
        for (const { to, cells } of links.get(from) ?? []) {
          if (placed[to]) continue;
          if (cells.some((count) => count !== 0)) across.push({ from, to, cells });
          else visit(from, to, cells, within);
        }
        continue;
      }
      const crossing = across.shift();
      if (!crossing) break;
      if (!placed[crossing.to]) visit(crossing.from, crossing.to, crossing.cells, within);
    }
  }

  function visit(from: number, to: number, cells: Vec3, within: number[]): void {
    placed[to] = 1;
    within.push(to);
    for (let axis = 0; axis < 3; axis++) {
      let lattice = 0;
      for (let row = 0; row < 3; row++) lattice += cells[row]! * cell![3 * row + axis]!;
      images[3 * to + axis] =
        images[3 * from + axis]! + (places[3 * to + axis]! + lattice - places[3 * from + axis]!);
    }
  }
}

/** All positions after the motion of a group. Each atom stays in its own periodic image. */
export function movedPositions<T extends Float32Array | Float64Array>(
  positions: T,
  { atoms, images, centre }: AtomGroup,
  { shift, turn }: Motion,
): T {
  const moved = positions.slice() as T;
  const turns = turn[3] !== 1;
  for (const [at, atom] of atoms.entries()) {
    const from = [0, 1, 2].map((axis) => images[3 * at + axis]! - centre[axis]!) as unknown as Vec3;
    const to = turns ? rotated(from, turn) : from;
    for (let axis = 0; axis < 3; axis++)
      moved[3 * atom + axis]! += shift[axis]! + (turns ? to[axis]! - from[axis]! : 0);
  }
  return moved;
}

function rotated([x, y, z]: Vec3, [a, b, c, w]: Turn): Vec3 {
  const [tx, ty, tz] = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)];
  return [x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx];
}

/** A turn by degrees about an axis of the scene, counter-clockwise when the axis points at the viewer. */
export function turnAbout(axis: 0 | 1 | 2, degrees: number): Turn {
  const half = (degrees * Math.PI) / 360;
  const turn: [number, number, number, number] = [0, 0, 0, Math.cos(half)];
  turn[axis] = Math.sin(half);
  return turn;
}

export function isNoMotion({ shift, turn }: Motion): boolean {
  return shift.every((part) => part === 0) && Math.hypot(turn[0], turn[1], turn[2]) < 1e-9;
}

/** "Δ 0.500, 0.000, 0.000 Å (0.500 Å)", or "30.0° about z". */
export function motionText({ shift, turn }: Motion): string {
  const [x, y, z, w] = turn;
  const size = Math.hypot(x, y, z);
  if (size < 1e-9) {
    const parts = shift.map((part) => part.toFixed(3).replace(/^-(0\.0+)$/, "$1")).join(", ");
    return `Δ ${parts} Å (${Math.hypot(...shift).toFixed(3)} Å)`;
  }
  let degrees = (2 * Math.atan2(size, w) * 180) / Math.PI;
  let axis = [x / size, y / size, z / size];
  if (degrees > 180) {
    degrees = 360 - degrees;
    axis = axis.map((part) => -part);
  }
  const main = axis.findIndex((part) => Math.abs(part) > 0.9999);
  if (main >= 0) return `${(Math.sign(axis[main]!) * degrees).toFixed(1)}° about ${"xyz"[main]}`;
  return `${degrees.toFixed(1)}° about (${axis.map((part) => part.toFixed(2)).join(", ")})`;
}
