// Axes of the plot of a sweep: where values are drawn, and which of them are labelled.

export interface PlotScale {
  /** From 0 to 1. */
  place: (value: unknown) => number | null;
  ticks: { at: number; label: string }[];
  isLog: boolean;
}

const DECADES_FOR_LOG = 2;
const MAX_TICKS = 6;
const MAX_NAMES = 12;

/** Numbers on a line, on a logarithmic one if they are positive and span at least two decades; other values side by side. */
export function plotScale(values: readonly unknown[], mayBeLog: boolean): PlotScale {
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length < values.length || !numbers.length) return namedScale(values);
  const min = Math.min(...numbers);
  const max = Math.max(...numbers);
  const isLog = mayBeLog && min > 0 && max / min >= 10 ** DECADES_FOR_LOG;
  const shown = (value: number) => (isLog ? Math.log10(value) : value);
  const [low, high] = widened(shown(min), shown(max));
  const place = (value: unknown) => (typeof value === "number" ? (shown(value) - low) / (high - low) : null);
  const ticks = isLog ? decades(min, max) : niceTicks(low, high, MAX_TICKS);
  return { place, isLog, ticks: ticks.map((tick) => ({ at: place(tick)!, label: tickLabel(tick) })) };
}

function namedScale(values: readonly unknown[]): PlotScale {
  const names = [...new Set(values.map((value) => JSON.stringify(value)))];
  const at = (index: number) => (index + 0.5) / Math.max(1, names.length);
  const every = Math.ceil(names.length / MAX_NAMES);
  return {
    isLog: false,
    place: (value) => {
      const index = names.indexOf(JSON.stringify(value));
      return index < 0 ? null : at(index);
    },
    ticks: names.flatMap((name, index) =>
      index % every === 0
        ? [{ at: at(index), label: name === undefined ? "" : name.replace(/^"|"$/g, "") }]
        : [],
    ),
  };
}

function widened(low: number, high: number): [number, number] {
  const margin = high > low ? (high - low) * 0.05 : Math.abs(low) * 0.1 || 1;
  return [low - margin, high + margin];
}

/** At most `most` round numbers between two numbers. */
export function niceTicks(low: number, high: number, most: number): number[] {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough)!;
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at += 1)
    ticks.push(Number((at * step).toPrecision(12)));
  return ticks;
}

function decades(min: number, max: number): number[] {
  const first = Math.ceil(Math.log10(min) - 1e-9);
  const last = Math.floor(Math.log10(max) + 1e-9);
  const every = Math.ceil((last - first + 1) / MAX_TICKS);
  return Array.from(
    { length: Math.floor((last - first) / every) + 1 },
    (_, at) => 10 ** (first + at * every),
  );
}

const tickLabel = (tick: number) =>
  tick !== 0 && (Math.abs(tick) >= 1e5 || Math.abs(tick) < 1e-3)
    ? tick.toExponential().replace("e+", "e")
    : String(Number(tick.toPrecision(6)));
