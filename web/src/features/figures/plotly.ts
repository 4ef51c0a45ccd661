// Plotly, which is loaded with the first figure: the bundle that needs no `eval`.
import type { Config, Data, Layout } from "plotly.js";

/** The element of a plot. */
export interface PlotlyElement extends HTMLElement {
  on(event: string, handler: (event: ClickEvent) => void): void;
  removeAllListeners(event: string): void;
}

/** Where the values of an axis are within the element of its plot, in pixels. */
export interface PlacedAxis {
  /** From the beginning of the axis. */
  pixels(value: unknown): number;
  readonly offset: number;
  readonly length: number;
}

/** What Plotly keeps at the element; it is not documented, and this module alone reads it. */
interface Internals {
  _fullLayout?: Record<string, { d2p?: (value: unknown) => number; _offset?: number; _length?: number }>;
  _fullData?: ({ visible?: unknown; xaxis?: unknown; yaxis?: unknown } | undefined)[];
}

/** The axes of a trace; null if it is not shown, or if this version of Plotly does not tell where they are. */
export function axesOf(element: object, trace: number): { x: PlacedAxis; y: PlacedAxis } | null {
  const { _fullLayout: layout, _fullData: traces } = element as Internals;
  const full = traces?.[trace];
  if (full?.visible !== true) return null;
  const placed = (name: unknown): PlacedAxis | null => {
    const axis = layout?.[String(name).replace(/^([xy])/, "$1axis")];
    if (!axis || typeof axis.d2p !== "function") return null;
    const { _offset: offset, _length: length } = axis;
    if (offset === undefined || length === undefined) return null;
    return { pixels: (value) => axis.d2p!(value), offset, length };
  };
  const [x, y] = [placed(full.xaxis ?? "x"), placed(full.yaxis ?? "y")];
  return x && y ? { x, y } : null;
}

export interface ClickEvent {
  points?: {
    curveNumber: number;
    pointNumber?: number;
    pointIndex?: number | number[];
    pointNumbers?: number[];
  }[];
}

export interface Plotly {
  react(
    where: HTMLElement,
    data: Data[],
    layout: Partial<Layout>,
    config: Partial<Config>,
  ): Promise<PlotlyElement>;
  purge(where: HTMLElement): void;
  Plots: { resize(where: HTMLElement): void };
}

let loading: Promise<Plotly> | null = null;

export function loadPlotly(): Promise<Plotly> {
  loading ??= import("plotly.js-strict-dist-min").then(
    (module) => ((module as { default?: unknown }).default ?? module) as Plotly,
  );
  return loading;
}
