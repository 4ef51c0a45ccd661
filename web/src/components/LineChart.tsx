// A live line chart. uPlot draws on a canvas, so its colours are read from the page.
import "uplot/dist/uPlot.min.css";
import { useComputedColorScheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useEffect, useRef } from "react";
import uPlot from "uplot";

export interface Line {
  label: string;
  /** A custom property of the page, such as --wr-running. */
  colour: string;
  fill?: boolean;
}

/** A chart that has just begun shows a minute, most of it still empty. */
const MIN_SPAN_SECONDS = 60;

const clock = (seconds: number) => new Date(seconds * 1000).toLocaleTimeString("en-GB");

function colourOf(property: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(property).trim() || "#888";
}

export default function LineChart({
  lines,
  times,
  values,
  height = 180,
  unit = "",
  label,
}: {
  lines: Line[];
  /** In seconds since 1970. */
  times: number[];
  values: (number | null)[][];
  height?: number;
  unit?: string;
  label: string;
}) {
  const { ref, width } = useElementSize();
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const scheme = useComputedColorScheme("light");
  const names = JSON.stringify(lines);

  // biome-ignore lint/correctness/useExhaustiveDependencies: colours change with the scheme; data has its own effect
  useEffect(() => {
    if (!box.current || width < 50) return;
    const quiet = colourOf("--wr-quiet");
    const grid = { stroke: colourOf("--wr-line"), width: 1 };
    const axis = { stroke: quiet, grid, ticks: { show: false }, font: "11px 'Inter Variable', sans-serif" };
    const made = new uPlot(
      {
        width,
        height,
        legend: { show: false },
        cursor: { drag: { x: false, y: false } },
        scales: {
          x: { range: (_plot, low, high) => [Math.min(low, high - MIN_SPAN_SECONDS), high] },
          y: { range: (_plot, _low, high) => [0, Math.max(high * 1.1, 1)] },
        },
        axes: [
          { ...axis, size: 26, values: (_plot, ticks) => ticks.map(clock) },
          {
            ...axis,
            size: 52,
            values: (_plot, ticks) => ticks.map((tick) => `${tick.toLocaleString("en")}${unit}`),
          },
        ],
        series: [
          {},
          ...lines.map((line) => ({
            label: line.label,
            stroke: colourOf(line.colour),
            width: 1.8,
            points: { show: false },
            ...(line.fill ? { fill: `color-mix(in srgb, ${colourOf(line.colour)} 18%, transparent)` } : {}),
          })),
        ],
      },
      [times, ...values] as uPlot.AlignedData,
      box.current,
    );
    plot.current = made;
    return () => {
      made.destroy();
      plot.current = null;
    };
  }, [width, height, scheme, names, unit]);

  useEffect(() => {
    plot.current?.setData([times, ...values] as uPlot.AlignedData);
  }, [times, values]);

  return (
    <div ref={ref} role="img" aria-label={label}>
      <div ref={box} style={{ height }} />
    </div>
  );
}
