/** The numbers of each frame that a map can show: energy, numbers in `info`, the cell, and statistics of arrays. */
import type { Schemas } from "@/lib/api/client";
import { frameKeyLabel } from "@/lib/atoms/frameKeys";
import { asFloats, type Frame, isNumeric } from "@/lib/frames";

type KeyInfo = Schemas["FrameKeyInfo"];

/** Keys with one number for each frame. */
export function scalarKeys(keys: Record<string, KeyInfo>): string[] {
  return Object.keys(keys)
    .filter((key) => /^(calc|info)\./.test(key) && isScalar(keys[key]!))
    .sort();
}

/** The frames whose keys are looked at: the first ones, fewer and fewer of those behind, which a longer trajectory keeps, and the last. */
export function sampledFrames(length: number): number[] {
  const frames = new Set<number>();
  for (let at = 1; at < length; at *= 2) frames.add(at);
  if (length > 0) frames.add(0).add(length - 1);
  return [...frames].sort((a, b) => a - b);
}

function isScalar({ dtype, shape, type }: KeyInfo): boolean {
  if (dtype) return !/^<[Uc]/.test(dtype) && (shape ?? []).every((length) => length === 1);
  return type === "int" || type === "float" || type === "number";
}

export const INDEX_AXIS = "index";
export const VOLUME_AXIS = "volume";
export const PCA_AXES = "pca";

export function axisLabel(axis: string): string {
  if (axis === INDEX_AXIS) return "Frame";
  if (axis === VOLUME_AXIS) return "Volume of the cell";
  return frameKeyLabel(axis);
}

/** The keys that have to be fetched for an axis. */
export function keysOfAxis(axis: string): string[] {
  if (axis === INDEX_AXIS) return [];
  return [axis === VOLUME_AXIS ? "cell" : axis];
}

/** The value of a frame along an axis; NaN if it has none. */
export function axisValue(frame: Frame, axis: string, index: number): number {
  if (axis === INDEX_AXIS) return index;
  const value = frame.get(axis === VOLUME_AXIS ? "cell" : axis);
  if (axis === VOLUME_AXIS) return isNumeric(value) ? volume(asFloats(value)) : Number.NaN;
  if (typeof value === "number") return value;
  if (typeof value === "bigint" || typeof value === "boolean") return Number(value);
  return isNumeric(value) && value.data.length === 1 ? asFloats(value)[0]! : Number.NaN;
}

function volume(cell: ArrayLike<number>): number {
  if (cell.length !== 9) return Number.NaN;
  const [a, b, c, d, e, f, g, h, i] = Array.from(cell) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return Math.abs(a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g));
}
