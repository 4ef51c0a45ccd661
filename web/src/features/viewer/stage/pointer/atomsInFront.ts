/** Which atoms can be seen from the camera, rather than being hidden behind others. */
import type { Matrix4 } from "three";
import { type AtomTextures, VISIBLE } from "../layers/atomTextures";
import type { Offset } from "../periodicImages";

export interface Eye {
  readonly view: Matrix4;
  readonly projection: Matrix4;
  /** The size of the stage, in pixels. */
  readonly width: number;
  readonly height: number;
}

/** The picture of depths has a pixel for four of the stage: finer than that nobody aims, and 100,000 atoms are drawn at once. */
const COARSE = 0.5;

/** Rounding of single precision must not hide an atom behind itself. */
const SLACK = 1e-3;

/**
 * Those of the candidates that at least one pixel shows. Every atom is drawn as a disc into a picture of depths, without the
 * graphics card; translucent atoms hide nothing. `hides` is false where all atoms are translucent.
 */
export function atomsInFront(
  atoms: AtomTextures,
  offsets: readonly Offset[],
  stage: Eye,
  candidates: readonly number[],
  hides = true,
): number[] {
  const { colours, count } = atoms;
  const [width, height] = [Math.ceil(stage.width * COARSE), Math.ceil(stage.height * COARSE)];
  const eye = { ...stage, width, height };
  const nearest = new Float32Array(eye.width * eye.height).fill(Number.POSITIVE_INFINITY);
  const isOpaque = (atom: number) => colours[4 * atom + 3]! >> 4 === 0;
  for (let atom = 0; hides && atom < count; atom++) {
    if ((colours[4 * atom + 3]! & VISIBLE) === 0 || !isOpaque(atom)) continue;
    for (const offset of offsets)
      cover(atoms, atom, offset, eye, (pixel, depth) => {
        if (depth < nearest[pixel]!) nearest[pixel] = depth;
        return false;
      });
  }
  return candidates.filter((atom) =>
    offsets.some((offset) =>
      cover(atoms, atom, offset, eye, (pixel, depth) => depth <= nearest[pixel]! + SLACK),
    ),
  );
}

/** Visit the pixels of one atom with the distance of its surface, until `visit` returns true; returns whether it did. */
function cover(
  { positions }: AtomTextures,
  atom: number,
  [ax, ay, az]: Offset,
  { view, projection, width, height }: Eye,
  visit: (pixel: number, depth: number) => boolean,
): boolean {
  const [v, p] = [view.elements, projection.elements];
  const x = positions[4 * atom]! + ax;
  const y = positions[4 * atom + 1]! + ay;
  const z = positions[4 * atom + 2]! + az;
  const radius = positions[4 * atom + 3]!;
  const right = v[0]! * x + v[4]! * y + v[8]! * z + v[12]!;
  const up = v[1]! * x + v[5]! * y + v[9]! * z + v[13]!;
  const depth = -(v[2]! * x + v[6]! * y + v[10]! * z + v[14]!);
  // 1 in an orthographic view, the distance in perspective.
  const w = p[15]! - p[11]! * depth;
  if (!(w > 0) || !(depth > 0)) return false;
  const perUnit = (0.5 * height * p[5]!) / w;
  const [column, row] = [0.5 * width + right * perUnit, 0.5 * height - up * perUnit];
  const reach = radius * perUnit;
  if (reach < 1) {
    const [i, j] = [Math.floor(column), Math.floor(row)];
    return i >= 0 && j >= 0 && i < width && j < height && visit(j * width + i, depth - radius);
  }
  for (let j = Math.max(0, Math.ceil(row - reach)); j <= Math.min(height - 1, row + reach); j++) {
    for (let i = Math.max(0, Math.ceil(column - reach)); i <= Math.min(width - 1, column + reach); i++) {
      const square = ((i - column) ** 2 + (j - row) ** 2) / reach ** 2;
      if (square <= 1 && visit(j * width + i, depth - radius * Math.sqrt(1 - square))) return true;
    }
  }
  return false;
}
