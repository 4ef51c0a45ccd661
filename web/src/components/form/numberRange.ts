// The values that a number field allows, as sliders and sweeps use them.
import type { RJSFSchema } from "@rjsf/utils";

export interface NumberRange {
  whole: boolean;
  step: number;
  /** The smallest and the largest allowed value; an exclusive bound is one step away. */
  lowest?: number;
  highest?: number;
  /** The range spans decades, so that its values are spaced by their logarithm. */
  logarithmic: boolean;
}

const DECADES = 100;

export function numberRange(schema: RJSFSchema): NumberRange {
  const whole = schema.type === "integer";
  const low = schema.minimum ?? schema.exclusiveMinimum;
  const high = schema.maximum ?? schema.exclusiveMaximum;
  const span = low !== undefined && high !== undefined ? high - low : undefined;
  const step = schema.multipleOf ?? (whole ? 1 : span ? 10 ** Math.floor(Math.log10(span / 100)) : 0.1);
  const logarithmic = low !== undefined && high !== undefined && low > 0 && high / low >= DECADES;
  // The step of a range that spans decades is much longer than its lower bound.
  const inner = logarithmic && !whole && schema.multipleOf === undefined ? low / 10 : step;
  return {
    whole,
    step,
    lowest: schema.minimum ?? (low === undefined ? undefined : short(low + inner)),
    highest: schema.maximum ?? (high === undefined ? undefined : short(high - step)),
    logarithmic,
  };
}

const short = (value: number) => Number(value.toPrecision(12));

/** The value at a position between 0 and 1 of a logarithmic range. */
export function logValue({ whole, step, lowest, highest }: NumberRange, share: number): number {
  const [low, high] = [lowest ?? 1, highest ?? 1];
  if (share <= 0) return low;
  if (share >= 1) return high;
  const value = low * (high / low) ** share;
  return Math.min(
    Math.max(whole ? Math.round(value / step) * step : Number(value.toPrecision(2)), low),
    high,
  );
}

/** The position between 0 and 1 of a value in a logarithmic range. */
export function logShare({ lowest, highest }: NumberRange, value: number): number {
  const [low, high] = [lowest ?? 1, highest ?? 1];
  const inside = Math.min(Math.max(value, low), high);
  return Math.log(inside / low) / Math.log(high / low);
}

/** How far an arrow key moves on a logarithmic range. */
const KEY_SHARE = 0.01;

/** The next value for an arrow key in a logarithmic range: at least one step of the value away. */
export function logNext(range: NumberRange, value: number, direction: 1 | -1): number {
  const moved = logValue(range, logShare(range, value) + direction * KEY_SHARE);
  const step = range.whole ? range.step : 10 ** (Math.floor(Math.log10(value)) - 1);
  const near = value + direction * step;
  const next = direction * (moved - near) > 0 ? moved : near;
  return short(Math.min(Math.max(next, range.lowest ?? 1), range.highest ?? 1));
}
