// Links between points of a figure and frames or atoms.

import type { Schemas } from "@/lib/api/client";

export type FigureLink = Schemas["FigureLink"];
export type Figure = Schemas["FigureInfo"];

/** The frame or atom that a clicked point is linked to. */
export function linkTarget(
  links: readonly FigureLink[],
  trace: number,
  point: number,
): { to: "frames" | "atoms"; index: number; frame: number | null } | null {
  const link = links.find((one) => one.trace === trace);
  if (!link) return null;
  const index = link.indices ? link.indices[point] : point;
  return index === undefined || index === null ? null : { to: link.to, index, frame: link.frame ?? null };
}

/** The frames and atoms of the points that a lasso took, each once and in order. */
export function linkedTargets(
  links: readonly FigureLink[],
  points: readonly { trace: number; point: number }[],
): { frames: number[]; atoms: number[] } {
  const found = { frames: new Set<number>(), atoms: new Set<number>() };
  for (const { trace, point } of points) {
    const target = linkTarget(links, trace, point);
    if (target) found[target.to].add(target.index);
  }
  const sorted = (set: Set<number>) => [...set].sort((a, b) => a - b);
  return { frames: sorted(found.frames), atoms: sorted(found.atoms) };
}

/** The traces that are linked to frames, with the point of the given frame. */
export function pointsOfFrame(
  links: readonly FigureLink[],
  frame: number,
): { trace: number; point: number }[] {
  return links
    .filter((link) => link.to === "frames")
    .map(({ trace, indices }) => ({ trace, point: indices ? indices.indexOf(frame) : frame }))
    .filter(({ point }) => point >= 0);
}

const READERS: Record<string, (buffer: ArrayBuffer) => ArrayLike<number>> = {
  f8: (buffer) => new Float64Array(buffer),
  f4: (buffer) => new Float32Array(buffer),
  i4: (buffer) => new Int32Array(buffer),
  u4: (buffer) => new Uint32Array(buffer),
  i2: (buffer) => new Int16Array(buffer),
  u2: (buffer) => new Uint16Array(buffer),
  i1: (buffer) => new Int8Array(buffer),
  u1: (buffer) => new Uint8Array(buffer),
};

/** The values of a trace: a list, or the packed form in which Python writes arrays. */
export function traceValues(given: unknown): ArrayLike<unknown> | null {
  if (Array.isArray(given) || ArrayBuffer.isView(given)) return given as unknown as ArrayLike<unknown>;
  if (typeof given !== "object" || given === null) return null;
  const { dtype, bdata } = given as { dtype?: unknown; bdata?: unknown };
  const read = typeof dtype === "string" ? READERS[dtype.replace(/^[<|=]/, "")] : undefined;
  if (!read || typeof bdata !== "string") return null;
  const bytes = Uint8Array.from(atob(bdata), (letter) => letter.charCodeAt(0));
  return read(bytes.buffer);
}
