/** The columns of the table of atoms, and the order of its rows. */
import { element } from "@/lib/atoms/elements";
import { frameKeyLabel, hasRowPerAtom, unitOf } from "@/lib/atoms/frameKeys";
import type { Structure } from "@/lib/atoms/structure";
import { type ArrayValue, asFloats, isArray, isNumeric, rowLength, rowText } from "@/lib/frames";

export interface TableColumn {
  readonly id: string;
  readonly label: string;
  readonly unit: string | null;
  readonly numeric: boolean;
  text(atom: number): string;
  /** The value that rows are sorted by; texts are sorted by `text`. */
  value?(atom: number): number;
}

const AXES = ["x", "y", "z"] as const;
const MOST_COLUMNS = 40;

export function tableColumns(structure: Structure): TableColumn[] {
  const { numbers, positions, count, frame } = structure;
  const columns: TableColumn[] = [
    { id: "index", label: "Index", unit: null, numeric: true, text: String, value: (atom) => atom },
    {
      id: "element",
      label: "Element",
      unit: null,
      numeric: false,
      text: (atom) => element(numbers[atom]!).symbol,
    },
    ...AXES.map((axis, part) => numberColumn(axis, axis, "Å", (atom) => positions[3 * atom + part]!)),
  ];
  for (const [key, value] of [...frame].sort(([a], [b]) => (a < b ? -1 : 1)))
    if (
      isArray(value) &&
      hasRowPerAtom(key, value.shape, count) &&
      key !== "arrays.numbers" &&
      key !== "arrays.positions"
    )
      columns.push(...arrayColumns(key, value));
  return columns.slice(0, MOST_COLUMNS);
}

function arrayColumns(key: string, array: ArrayValue): TableColumn[] {
  const [label, unit, per] = [frameKeyLabel(key), unitOf(key), rowLength(array)];
  if (isNumeric(array) && array.dtype !== "|b1" && (per === 1 || per === 3)) {
    const values = asFloats(array);
    const whole = /[iu]\d$/.test(array.dtype);
    if (per === 1) return [numberColumn(key, label, unit, (atom) => values[atom]!, whole)];
    return [
      numberColumn(key, `|${label}|`, unit, (atom) =>
        Math.hypot(values[3 * atom]!, values[3 * atom + 1]!, values[3 * atom + 2]!),
      ),
      ...AXES.map((axis, part) =>
        numberColumn(`${key}.${axis}`, `${label} ${axis}`, unit, (atom) => values[3 * atom + part]!),
      ),
    ];
  }
  return [{ id: key, label, unit, numeric: false, text: (atom) => rowText(array, atom, 3) }];
}

function numberColumn(
  id: string,
  label: string,
  unit: string | null,
  value: (atom: number) => number,
  whole = false,
): TableColumn {
  return { id, label, unit, numeric: true, value, text: (atom) => formatted(value(atom), whole) };
}

function formatted(value: number, whole: boolean): string {
  if (!Number.isFinite(value)) return String(value);
  if (whole) return String(value);
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e6) ? value.toExponential(2) : value.toFixed(4);
}

export interface Sorting {
  readonly column: string;
  readonly descending: boolean;
}

/** The atoms in the order of a column; atoms with equal values keep the order of their indices, NaN comes last. */
export function sortedAtoms(
  atoms: Int32Array<ArrayBuffer>,
  columns: readonly TableColumn[],
  { column: id, descending }: Sorting,
): Int32Array<ArrayBuffer> {
  const column = columns.find((one) => one.id === id);
  if (!column || (id === "index" && !descending)) return atoms;
  const sign = descending ? -1 : 1;
  const order = Array.from(atoms.keys());
  if (column.value) {
    const { value } = column;
    const keys = Float64Array.from(atoms, (atom) => sign * value(atom));
    order.sort((a, b) => compareNumbers(keys[a]!, keys[b]!) || a - b);
  } else {
    // Few different texts are the rule: each gets its rank, which compares faster than the texts.
    const texts = Array.from(atoms, (atom) => column.text(atom));
    const ranks = new Map([...new Set(texts)].sort().map((text, rank) => [text, sign * rank]));
    const keys = Float64Array.from(texts, (text) => ranks.get(text)!);
    order.sort((a, b) => keys[a]! - keys[b]! || a - b);
  }
  return Int32Array.from(order, (at) => atoms[at]!);
}

function compareNumbers(a: number, b: number): number {
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
  return Number.isNaN(b) ? -1 : a - b;
}

export function everyAtom(count: number): Int32Array<ArrayBuffer> {
  return Int32Array.from({ length: count }, (_, atom) => atom);
}
