// Labels of frame keys, and the keys that can be shown on atoms.
import type { Schemas } from "@/lib/api/client";

const NAMES: Record<string, string> = {
  "arrays.positions": "Position",
  "arrays.numbers": "Atomic number",
  "arrays.momenta": "Momenta",
  "arrays.velocities": "Velocities",
  "arrays.tags": "Tags",
  "arrays.masses": "Masses",
  "arrays.initial_charges": "Initial charges",
  "arrays.initial_magmoms": "Initial magnetic moments",
  "calc.forces": "Forces",
  "calc.charges": "Charges",
  "calc.magmoms": "Magnetic moments",
  "calc.energies": "Energy of each atom",
  "calc.stresses": "Stress of each atom",
};

export function frameKeyLabel(key: string): string {
  const short = key.replace(/^(arrays|calc|info)\./, "");
  return NAMES[key] ?? short.charAt(0).toUpperCase() + short.slice(1).replaceAll("_", " ");
}

/** The units of ASE, by the last part of a key. */
const UNITS: Record<string, string> = {
  positions: "Å",
  masses: "u",
  charges: "e",
  initial_charges: "e",
  magmoms: "μB",
  initial_magmoms: "μB",
  magmom: "μB",
  forces: "eV/Å",
  energy: "eV",
  free_energy: "eV",
  energies: "eV",
  stress: "eV/Å³",
  stresses: "eV/Å³",
  dipole: "e Å",
  momenta: "√(eV u)",
};

/** The unit of a key's values; null if it is unknown. What a file or a user named so in `info` may have another one. */
export function unitOf(key: string): string | null {
  const [where, name = ""] = key.split(/\.(.*)/s);
  return where === "arrays" || where === "calc" ? (UNITS[name] ?? null) : null;
}

type KeyInfo = Schemas["FrameKeyInfo"];

/** Results of the frame as a whole. In frames with as many atoms as such an array has rows, its shape does not tell. */
const RESULTS_OF_FRAME = new Set([
  "calc.energy",
  "calc.free_energy",
  "calc.stress",
  "calc.virial",
  "calc.dipole",
  "calc.magmom",
  "calc.polarization",
  "calc.dielectric_tensor",
]);

/** Whether an array of a frame has one row for each atom. What is in `info` belongs to the frame, and so do cell and periodicity. */
export function hasRowPerAtom(
  key: string,
  shape: readonly number[] | null | undefined,
  atoms: number,
): boolean {
  return /^(arrays|calc)\./.test(key) && !RESULTS_OF_FRAME.has(key) && shape?.[0] === atoms;
}

function isPerAtom(key: string, { dtype, shape }: KeyInfo, atoms: number): boolean {
  return Boolean(dtype) && !/^<[Uc]/.test(dtype!) && hasRowPerAtom(key, shape, atoms);
}

/** Keys with one or more numbers for each atom. */
export function colourKeys(keys: Record<string, KeyInfo>): string[] {
  const atoms = keys["arrays.positions"]?.shape?.[0] ?? -1;
  return Object.keys(keys)
    .filter((key) => isPerAtom(key, keys[key]!, atoms))
    .sort();
}

/** Keys with a vector for each atom. */
export function vectorKeys(keys: Record<string, KeyInfo>): string[] {
  return colourKeys(keys).filter((key) => {
    const shape = keys[key]!.shape!;
    return shape.length === 2 && shape[1] === 3 && key !== "arrays.positions";
  });
}
