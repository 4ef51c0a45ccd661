/** The names that an expression about the atoms of a frame may use, and their values. */
import { element } from "@/lib/atoms/elements";
import { fixedAtoms } from "@/lib/atoms/fixedAtoms";
import { hasRowPerAtom } from "@/lib/atoms/frameKeys";
import type { Structure } from "@/lib/atoms/structure";
import { hasVolume, makeCell } from "@/lib/atoms/unitCell";
import { type ArrayValue, asFloats, type Frame, isArray, isNumeric, rowLength, rowText } from "@/lib/frames";
import type { Column, Columns } from "./operators";

const PARTS = ["x", "y", "z"] as const;
const STRUCTURE_KEYS = new Set(["arrays.numbers", "arrays.positions"]);

export interface ColumnSource {
  readonly structure: Structure;
  /** The frame with all its arrays; the structure's own may hold only what is drawn. */
  readonly frame?: Frame;
  readonly selected?: readonly number[];
}

export function atomColumns({ structure, frame = structure.frame, selected = [] }: ColumnSource): Columns {
  const { numbers, positions, cell, count } = structure;
  const known = new Map<string, () => Column>();
  known.set("element", () => ({ kind: "text", at: (atom) => element(numbers[atom]!).symbol }));
  known.set("index", () => ({ kind: "number", at: (atom) => atom }));
  known.set("number", () => ({ kind: "number", at: (atom) => numbers[atom]! }));
  PARTS.forEach((part, axis) => {
    known.set(part, () => ({ kind: "number", at: (atom) => positions[3 * atom + axis]! }));
  });
  if (hasVolume(cell)) {
    const { inverse } = makeCell(cell, structure.pbc);
    ["a", "b", "c"].forEach((part, row) => {
      known.set(part, () => ({
        kind: "number",
        at: (atom) =>
          positions[3 * atom]! * inverse[row]! +
          positions[3 * atom + 1]! * inverse[3 + row]! +
          positions[3 * atom + 2]! * inverse[6 + row]!,
      }));
    });
  }
  known.set("selected", () => member(selected));
  known.set("fixed", () => member(fixedAtoms(frame)));
  for (const [key, value] of frame)
    if (isArray(value) && hasRowPerAtom(key, value.shape, count) && !STRUCTURE_KEYS.has(key))
      addArray(known, key, value);
  const names = [...known.keys()].filter((name) => !/^(arrays|calc)\./.test(name));
  return { names, column: (name) => known.get(name)?.() };
}

/** Elements of the structure, for completion: each once. */
export function elementsOf({ numbers, count }: Structure): string[] {
  const seen = new Set<number>();
  for (let atom = 0; atom < count; atom++) seen.add(numbers[atom]!);
  return [...seen].sort((a, b) => a - b).map((number) => element(number).symbol);
}

/** By its key and by its short name; the parts of a vector are `forces.x`, and its length is `forces`. */
function addArray(known: Map<string, () => Column>, key: string, array: ArrayValue): void {
  const short = key.replace(/^(arrays|calc)\./, "").replace(/\W/g, "_");
  const names = known.has(short) ? [key] : [key, short];
  const put = (suffix: string, column: () => Column) => {
    for (const name of names) known.set(name + suffix, column);
  };
  if (array.dtype.startsWith("<U")) {
    if (rowLength(array) === 1) put("", () => ({ kind: "text", at: (atom) => rowText(array, atom) }));
    return;
  }
  if (!isNumeric(array)) return;
  const per = rowLength(array);
  if (per === 1 && array.dtype === "|b1") {
    put("", () => ({ kind: "truth", at: (atom) => Boolean(array.data[atom]) }));
    return;
  }
  const floats = once(() => asFloats(array));
  if (per === 1) put("", () => ({ kind: "number", at: at(floats(), 1, 0) }));
  else if (per === 3) {
    put("", () => {
      const values = floats();
      return {
        kind: "number",
        at: (atom) => Math.hypot(values[3 * atom]!, values[3 * atom + 1]!, values[3 * atom + 2]!),
      };
    });
    PARTS.forEach((part, offset) => {
      put(`.${part}`, () => ({ kind: "number", at: at(floats(), 3, offset) }));
    });
  }
}

function at(values: ArrayLike<number>, per: number, offset: number) {
  return (atom: number) => values[per * atom + offset]!;
}

function member(atoms: readonly number[]): Column {
  const set = new Set(atoms);
  return { kind: "truth", at: (atom) => set.has(atom) };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
