/** What a frame says as a whole: size, formula, cell, energy, stress, forces and its `info`. */
import { element } from "@/lib/atoms/elements";
import { fixedAtoms } from "@/lib/atoms/fixedAtoms";
import { frameKeyLabel, unitOf } from "@/lib/atoms/frameKeys";
import { type Structure, scalarsOf } from "@/lib/atoms/structure";
import { hasVolume } from "@/lib/atoms/unitCell";
import { type ArrayValue, asFloats, isArray, isNumeric, rowText, type Value } from "@/lib/frames";

export interface Property {
  readonly label: string;
  readonly text: string;
}

export interface PropertyGroup {
  readonly title: string;
  readonly properties: readonly Property[];
}

/** 1 eV/Å³ in GPa. */
const GPA = 160.21766208;
const MOST_ITEMS = 12;

export function frameProperties(structure: Structure): PropertyGroup[] {
  const groups = [
    { title: "Structure", properties: structureProperties(structure) },
    { title: "Cell", properties: cellProperties(structure) },
    { title: "Results", properties: results(structure) },
    { title: "Info", properties: info(structure) },
  ];
  return groups.filter(({ properties }) => properties.length > 0);
}

function structureProperties(structure: Structure): Property[] {
  const fixed = fixedAtoms(structure.frame).length;
  return [
    { label: "Atoms", text: structure.count.toLocaleString("en") },
    { label: "Formula", text: formula(structure) },
    ...(fixed ? [{ label: "Fixed atoms", text: fixed.toLocaleString("en") }] : []),
  ];
}

/** The elements in Hill's order: carbon and hydrogen first where there is carbon, the others by symbol. */
export function formula({ numbers, count }: Structure): string {
  const counts = new Map<string, number>();
  for (let atom = 0; atom < count; atom++) {
    const { symbol } = element(numbers[atom]!);
    counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  }
  const first = counts.has("C") ? ["C", "H"] : [];
  const rank = (symbol: string) => (first.includes(symbol) ? first.indexOf(symbol) : first.length);
  return [...counts]
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map(([symbol, many]) => (many === 1 ? symbol : `${symbol}${many}`))
    .join(" ");
}

function cellProperties({ cell, pbc }: Structure): Property[] {
  const periodic = ["a", "b", "c"].filter((_, axis) => pbc[axis]).join(", ") || "no direction";
  if (!hasVolume(cell)) return [{ label: "Periodic in", text: periodic }];
  const rows = [0, 3, 6].map((at) => [cell[at]!, cell[at + 1]!, cell[at + 2]!] as const);
  const lengths = rows.map((row) => Math.hypot(...row));
  const angles = [
    [1, 2],
    [0, 2],
    [0, 1],
  ].map(([i, j]) => {
    const product = dot(rows[i!]!, rows[j!]!) / (lengths[i!]! * lengths[j!]!);
    return (Math.acos(Math.max(-1, Math.min(1, product))) * 180) / Math.PI;
  });
  const volume = Math.abs(
    rows[0]![0] * (rows[1]![1] * rows[2]![2] - rows[1]![2] * rows[2]![1]) -
      rows[0]![1] * (rows[1]![0] * rows[2]![2] - rows[1]![2] * rows[2]![0]) +
      rows[0]![2] * (rows[1]![0] * rows[2]![1] - rows[1]![1] * rows[2]![0]),
  );
  return [
    { label: "a, b, c", text: `${lengths.map((one) => one.toFixed(3)).join(", ")} Å` },
    { label: "α, β, γ", text: `${angles.map((one) => one.toFixed(2)).join(", ")}°` },
    { label: "Volume", text: `${volume.toFixed(2)} Å³` },
    { label: "Periodic in", text: periodic },
  ];
}

function results(structure: Structure): Property[] {
  const found: Property[] = [];
  for (const [key, value] of [...structure.frame].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!key.startsWith("calc.")) continue;
    const label = frameKeyLabel(key);
    const unit = unitOf(key);
    const values = scalarsOf(structure, key);
    if (values && values.length > 0) found.push(statistics(label, values, unit, key));
    else if (key === "calc.stress" && isNumeric(value)) found.push(...stress(asFloats(value)));
    else found.push({ label, text: withUnit(valueText(value), unit) });
  }
  return found;
}

/** A property of each atom in one line; of vectors, their lengths. */
function statistics(label: string, values: ArrayLike<number>, unit: string | null, key: string): Property {
  let [min, max, sum, squares, many] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0, 0];
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (!Number.isFinite(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
    sum += value;
    squares += value * value;
    many++;
  }
  if (many === 0) return { label, text: "no finite values" };
  const parts =
    key === "calc.forces"
      ? [
          `largest ${readable(max)}`,
          `mean ${readable(sum / many)}`,
          `RMS ${readable(Math.sqrt(squares / many))}`,
        ]
      : [`${readable(min)} to ${readable(max)}`, `mean ${readable(sum / many)}`, `sum ${readable(sum)}`];
  return { label, text: withUnit(parts.join(", "), unit) };
}

/** In the order of Voigt (xx, yy, zz, yz, xz, xy) or as a matrix; ASE counts pressure as negative stress. */
function stress(values: ArrayLike<number>): Property[] {
  const diagonal = values.length === 9 ? [0, 4, 8] : [0, 1, 2];
  const text = Array.from(values, (value) => readable(value * GPA)).join(", ");
  const pressure = -diagonal.reduce((sum, at) => sum + values[at]!, 0) / 3;
  return [
    { label: "Stress", text: `${text} GPa` },
    { label: "Pressure", text: `${readable(pressure * GPA)} GPa` },
  ];
}

function info({ frame }: Structure): Property[] {
  return [...frame]
    .filter(([key]) => key.startsWith("info."))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => ({ label: key.slice("info.".length), text: valueText(value) }));
}

export function valueText(value: Value): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return readable(value);
  if (typeof value === "bigint" || typeof value === "string") return String(value);
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  if (isArray(value)) return arrayText(value);
  if (Array.isArray(value)) {
    const shown = value.slice(0, MOST_ITEMS).map(valueText).join(", ");
    return `[${shown}${value.length > MOST_ITEMS ? `, … (${value.length})` : ""}]`;
  }
  return Object.entries(value)
    .slice(0, MOST_ITEMS)
    .map(([key, one]) => `${key}: ${valueText(one)}`)
    .join(", ");
}

function arrayText(array: ArrayValue): string {
  const size = array.shape.reduce((product, length) => product * length, 1);
  const flat = { ...array, shape: [size] };
  if (size <= MOST_ITEMS) return Array.from({ length: size }, (_, at) => rowText(flat, at)).join(", ");
  return `${array.shape.join(" × ")} values`;
}

function readable(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value) || Number.isInteger(value)) return String(value);
  return size < 1e-3 || size >= 1e6 ? value.toExponential(3) : value.toFixed(4);
}

function withUnit(text: string, unit: string | null): string {
  return unit ? `${text} ${unit}` : text;
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one[0]! * other[0]! + one[1]! * other[1]! + one[2]! * other[2]!;
}
