// What the points of a figure stand for, and where the point of a frame is.

export interface FigureLink {
  trace: number;
  to: "frames" | "atoms";
  indices: number[] | null;
  frame: number | null;
  selection: string;
}

export interface Figure {
  key: string;
  revision: number;
  data: Record<string, unknown>[];
  layout: Record<string, unknown>;
  links?: FigureLink[];
}

/** What a clicked point stands for. */
export function linkTarget(
  links: readonly FigureLink[],
  trace: number,
  point: number,
): { to: "frames" | "atoms"; index: number; frame: number | null } | null {
  const link = links.find((one) => one.trace === trace);
  if (!link) return null;
  const index = link.indices ? link.indices[point] : point;
  return index === undefined ? null : { to: link.to, index, frame: link.frame };
}

/** Each trace whose points stand for frames, and which of its points is the given frame. */
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

/** A trace's values: a list, or the packed form in which Python writes arrays. */
export function traceValues(given: unknown): ArrayLike<unknown> | null {
  if (Array.isArray(given) || ArrayBuffer.isView(given)) return given as unknown as ArrayLike<unknown>;
  if (typeof given !== "object" || given === null) return null;
  const { dtype, bdata } = given as { dtype?: unknown; bdata?: unknown };
  const read = typeof dtype === "string" ? READERS[dtype.replace(/^[<|=]/, "")] : undefined;
  if (!read || typeof bdata !== "string") return null;
  const bytes = Uint8Array.from(atob(bdata), (letter) => letter.charCodeAt(0));
  return read(bytes.buffer);
}
