/** Which frames a download has, and how its file is called. */

export type FrameChoice = "all" | "this" | "range";
export type FileFormat = "extxyz" | "xyz" | "cif" | "pdb" | "traj" | "h5md";

export const FILE_FORMATS: readonly { readonly value: FileFormat; readonly label: string }[] = [
  { value: "extxyz", label: "Extended XYZ, with all arrays" },
  { value: "xyz", label: "XYZ, elements and positions" },
  { value: "cif", label: "CIF" },
  { value: "pdb", label: "PDB" },
  { value: "traj", label: "ASE trajectory" },
  { value: "h5md", label: "H5MD" },
];

interface FrameRange {
  /** Both ends belong to it. */
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** The slice that the server is asked for: `stop` is behind the last frame. */
export function spanOf(choice: FrameChoice, shown: number, { from, to, step }: FrameRange) {
  if (choice === "all") return {};
  if (choice === "this") return { start: shown, stop: shown + 1 };
  return { start: from, stop: Math.max(from, to) + 1, step: Math.max(1, step) };
}

export function fileName(
  room: string,
  format: FileFormat,
  choice: FrameChoice,
  shown: number,
  { from, to }: FrameRange,
): string {
  const part = choice === "all" ? "" : choice === "this" ? `-${shown}` : `-${from}-${to}`;
  return `${room}${part}.${format}`;
}
