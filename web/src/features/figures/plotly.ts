// Plotly, fetched when the first figure is shown: the bundle that needs no `eval`.
import type { Config, Data, Layout } from "plotly.js";

export interface PlotlyAxis {
  d2p(value: unknown): number;
  _offset: number;
  _length: number;
}

/** The element Plotly has drawn in, with the little of its inside that marking a point needs. */
export interface PlotlyElement extends HTMLElement {
  on(event: string, handler: (told: ClickEvent) => void): void;
  removeAllListeners(event: string): void;
  _fullLayout?: Record<string, unknown>;
  _fullData?: Record<string, unknown>[];
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
