/** Opacity by value: how translucent each atom is, in the sixteen steps that the free bits of its marks can hold. */
import type { Range } from "@/lib/atoms/colourmaps";

export interface OpacityBy {
  /** Which values fade. */
  readonly fade: "low" | "high" | "middle";
  /** The opacity of the values that fade most, and of the others. */
  readonly least: number;
  readonly most: number;
  /** Null uses the range of the colours. */
  readonly range: Range | null;
}

export const DEFAULT_OPACITY: OpacityBy = { fade: "low", least: 0.1, most: 1, range: null };

/** The step of an atom that cannot be seen. */
export const CLEAR = 15;

/** A step from 0 (opaque) to `CLEAR` for each value; values that are not finite are opaque, so that they are noticed. */
export function clearness(values: ArrayLike<number>, colours: Range, by: OpacityBy): Uint8Array {
  const { min, max } = by.range ?? colours;
  const scale = max > min ? 1 / (max - min) : 0;
  const steps = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value)) continue;
    const share = scale === 0 ? 1 : Math.max(0, Math.min(1, (value - min) * scale));
    const kept = by.fade === "low" ? share : by.fade === "high" ? 1 - share : Math.abs(2 * share - 1);
    steps[i] = Math.round((1 - by.least - (by.most - by.least) * kept) * CLEAR);
  }
  return steps;
}
