/**
 * Which atoms are bonded: closer than the sum of their covalent radii times a tolerance, also through the faces of a
 * periodic cell. Atoms are sorted into bins at least as wide as the longest bond, so only neighbouring bins are compared.
 */
import { element } from "@/lib/atoms/elements";
import { isMetal } from "@/lib/atoms/metals";
import { type Cell, makeCell } from "@/lib/atoms/unitCell";

export interface BondQuery {
  readonly positions: ArrayLike<number>;
  readonly numbers: ArrayLike<number>;
  readonly cell: ArrayLike<number> | null;
  readonly pbc: ArrayLike<number | boolean> | null;
  readonly tolerance: number;
  /** Whether two metal atoms can be bonded. */
  readonly metals?: boolean;
}

/** Three numbers for each bond: the two atoms, and the cell shift of the second atom (see `packShift`). */
export type Bonds = Int32Array<ArrayBuffer>;

const REACH = 511;
const NEAREST = 0.1;
/** Above this number of bonds the structure is invalid (all atoms at one point). */
const MOST_PER_ATOM = 16;

export function packShift(x: number, y: number, z: number): number {
  return (x + 512) | ((y + 512) << 10) | ((z + 512) << 20);
}

export function unpackShift(packed: number): [number, number, number] {
  return [(packed & 1023) - 512, ((packed >> 10) & 1023) - 512, ((packed >> 20) & 1023) - 512];
}

export const NO_SHIFT = packShift(0, 0, 0);

export function findBonds({
  positions,
  numbers,
  cell: given,
  pbc,
  tolerance,
  metals = true,
}: BondQuery): Bonds {
  const count = Math.min(numbers.length, Math.floor(positions.length / 3));
  const radii = new Float32Array(count);
  const metallic = new Uint8Array(count);
  let largest = 0;
  for (let i = 0; i < count; i++) {
    radii[i] = element(numbers[i]!).covalent * tolerance;
    if (radii[i]! > largest) largest = radii[i]!;
    if (!metals && isMetal(numbers[i]!)) metallic[i] = 1;
  }
  if (count < 1 || !(largest > 0)) return new Int32Array(0);
  const cell = makeCell(given, pbc);
  const grid = sortIntoBins(positions, count, cell, 2 * largest);
  return pairs(grid, cell, radii, metallic);
}

interface Grid {
  readonly bins: readonly [number, number, number];
  /** How many bins away a neighbour can be, for each direction. */
  readonly reach: readonly [number, number, number];
  /** Where each bin's atoms start in `order`. */
  readonly starts: Int32Array;
  readonly order: Int32Array;
  /** Each atom's bin, and its position moved into the cell. */
  readonly places: Int32Array;
  readonly wrapped: Float64Array;
  /** By how many cells each atom was moved to get there. */
  readonly moved: Int16Array;
}

function sortIntoBins(positions: ArrayLike<number>, count: number, cell: Cell, cutoff: number): Grid {
  const { rows, inverse, heights, periodic } = cell;
  const scaled = new Float64Array(3 * count);
  const moved = new Int16Array(3 * count);
  const low = [0, 0, 0];
  const high = [1, 1, 1];
  for (let part = 0; part < 3; part++) {
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      let place = 0;
      for (let axis = 0; axis < 3; axis++) place += positions[3 * i + axis]! * inverse[3 * axis + part]!;
      if (!Number.isFinite(place)) place = 0;
      if (periodic[part]!) {
        const cells = Math.floor(place);
        moved[3 * i + part] = cells;
        place -= cells;
      }
      scaled[3 * i + part] = place;
      if (place < min) min = place;
      if (place > max) max = place;
    }
    if (!periodic[part]!) {
      low[part] = min;
      high[part] = max + 1e-6 * (1 + Math.abs(max));
    }
  }
  const widths = [0, 1, 2].map((part) => (high[part]! - low[part]!) * heights[part]!);
  const bins = widths.map((width) => Math.max(1, Math.floor(width / cutoff))) as [number, number, number];
  while (bins[0] * bins[1] * bins[2] > 4 * count + 64) {
    const most = bins.indexOf(Math.max(...bins));
    bins[most] = Math.max(1, Math.floor(bins[most]! / 2));
  }
  const reach = bins.map((bin, part) =>
    periodic[part]! ? Math.ceil((cutoff * bin) / widths[part]! - 1e-9) : Math.min(1, bin - 1),
  ) as [number, number, number];

  const places = new Int32Array(count);
  const starts = new Int32Array(bins[0] * bins[1] * bins[2] + 1);
  const wrapped = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    let place = 0;
    for (let part = 0; part < 3; part++) {
      const share = (scaled[3 * i + part]! - low[part]!) / (high[part]! - low[part]!);
      place = place * bins[part]! + Math.min(bins[part]! - 1, Math.max(0, Math.floor(share * bins[part]!)));
      let at = 0;
      for (let axis = 0; axis < 3; axis++) at += scaled[3 * i + axis]! * rows[3 * axis + part]!;
      wrapped[3 * i + part] = at;
    }
    places[i] = place;
    starts[place + 1]!++;
  }
  for (let bin = 1; bin < starts.length; bin++) starts[bin]! += starts[bin - 1]!;
  const next = starts.slice();
  const order = new Int32Array(count);
  for (let i = 0; i < count; i++) order[next[places[i]!]!++] = i;
  return { bins, reach, starts, order, places, wrapped, moved };
}

function pairs(
  { bins, reach, starts, order, wrapped, moved }: Grid,
  cell: Cell,
  radii: Float32Array,
  metallic: Uint8Array,
): Bonds {
  const { rows, periodic } = cell;
  const found = new Found(MOST_PER_ATOM * radii.length);
  const shift: [number, number, number] = [0, 0, 0];
  const offset: [number, number, number] = [0, 0, 0];
  const place: [number, number, number] = [0, 0, 0];
  for (place[0] = 0; place[0] < bins[0]; place[0]++)
    for (place[1] = 0; place[1] < bins[1]; place[1]++)
      for (place[2] = 0; place[2] < bins[2]; place[2]++) {
        const bin = (place[0] * bins[1] + place[1]) * bins[2] + place[2];
        if (starts[bin]! === starts[bin + 1]!) continue;
        for (let dx = -reach[0]; dx <= reach[0]; dx++) {
          const x = across(place[0] + dx, bins[0], periodic[0], shift, 0);
          if (x < 0) continue;
          for (let dy = -reach[1]; dy <= reach[1]; dy++) {
            const y = across(place[1] + dy, bins[1], periodic[1], shift, 1);
            if (y < 0) continue;
            for (let dz = -reach[2]; dz <= reach[2]; dz++) {
              const z = across(place[2] + dz, bins[2], periodic[2], shift, 2);
              if (z < 0) continue;
              const other = (x * bins[1] + y) * bins[2] + z;
              if (starts[other]! === starts[other + 1]!) continue;
              for (let part = 0; part < 3; part++)
                offset[part] =
                  shift[0]! * rows[part]! + shift[1]! * rows[3 + part]! + shift[2]! * rows[6 + part]!;
              compare(bin, other);
              if (found.full) return found.bonds();
            }
          }
        }
      }
  return found.bonds();

  function compare(bin: number, other: number): void {
    const [sx, sy, sz] = shift;
    const [ox, oy, oz] = offset;
    const later = sx > 0 || (sx === 0 && (sy > 0 || (sy === 0 && sz > 0)));
    for (let one = starts[bin]!; one < starts[bin + 1]!; one++) {
      const i = order[one]!;
      const x = wrapped[3 * i]! - ox;
      const y = wrapped[3 * i + 1]! - oy;
      const z = wrapped[3 * i + 2]! - oz;
      const radius = radii[i]!;
      for (let two = starts[other]!; two < starts[other + 1]!; two++) {
        const j = order[two]!;
        // Each pair is met from both sides; an atom and its own image also.
        if (j < i || (j === i && !later)) continue;
        const a = wrapped[3 * j]! - x;
        const b = wrapped[3 * j + 1]! - y;
        const c = wrapped[3 * j + 2]! - z;
        const square = a * a + b * b + c * c;
        const longest = radius + radii[j]!;
        if (square > longest * longest || square < NEAREST * NEAREST) continue;
        if (metallic[i]! & metallic[j]!) continue;
        if (found.full) return;
        found.add(
          i,
          j,
          sx + moved[3 * i]! - moved[3 * j]!,
          sy + moved[3 * i + 1]! - moved[3 * j + 1]!,
          sz + moved[3 * i + 2]! - moved[3 * j + 2]!,
        );
      }
    }
  }
}

/** The bin at a position that may lie outside the cell; `shift` receives the cell image. */
function across(place: number, bins: number, periodic: boolean, shift: number[], part: number): number {
  if (!periodic) {
    shift[part] = 0;
    return place < 0 || place >= bins ? -1 : place;
  }
  const cells = Math.floor(place / bins);
  shift[part] = cells;
  return place - cells * bins;
}

class Found {
  private triples = new Int32Array(3 * 1024);
  private used = 0;

  constructor(private readonly most: number) {}

  get full(): boolean {
    return this.used >= 3 * this.most;
  }

  add(i: number, j: number, sx: number, sy: number, sz: number): void {
    if (Math.abs(sx) > REACH || Math.abs(sy) > REACH || Math.abs(sz) > REACH) return;
    if (this.used === this.triples.length) {
      const more = new Int32Array(2 * this.triples.length);
      more.set(this.triples);
      this.triples = more;
    }
    this.triples[this.used++] = i;
    this.triples[this.used++] = j;
    this.triples[this.used++] = packShift(sx, sy, sz);
  }

  bonds(): Bonds {
    return this.triples.slice(0, this.used);
  }
}
