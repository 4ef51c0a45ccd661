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

/** Shortest time span of the x axis. */
const MIN_SPAN_SECONDS = 60;

const clock = (seconds: number) => new Date(seconds * 1000).toLocaleTimeString("en-GB");

/** Days and hours, for charts over several days. */
function dayAndHour(seconds: number): string {
  const at = new Date(seconds * 1000);
  return at.getHours() === 0
    ? at.toLocaleDateString("en-GB", { day: "numeric", month: "short" })
    : at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

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
  days = false,
}: {
  lines: Line[];
  /** In seconds since 1970. */
  times: number[];
  values: (number | null)[][];
  height?: number;
  unit?: string;
  label: string;
  /** The times are days apart. */
  days?: boolean;
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
          { ...axis, size: 26, values: (_plot, ticks) => ticks.map(days ? dayAndHour : clock) },
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
            // A step between steps without jobs has no line, so it is a point.
            points: { show: days, size: 5 },
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
  }, [width, height, scheme, names, unit, days]);

  useEffect(() => {
    plot.current?.setData([times, ...values] as uPlot.AlignedData);
  }, [times, values]);

  return (
    <div ref={ref} role="img" aria-label={label}>
      <div ref={box} style={{ height }} />
    </div>
  );
}
