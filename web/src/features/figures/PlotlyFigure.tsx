// One Plotly figure. The current frame is marked by an overlay, so that playback does not redraw the plot.
import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { selectFrames } from "@/lib/room/frameSelection";
import { goTo, play, usePlayback } from "@/lib/room/playback";
import { select } from "@/lib/room/selectionStore";
import { applyTheme, CONFIG } from "./applyTheme";
import { type Figure, linkedTargets, linkTarget, pointsOfFrame, traceValues } from "./figureLinks";
import { axesOf, type ClickEvent, loadPlotly, type PlotlyElement } from "./plotly";

export function PlotlyFigure({ room, figure }: { room: string; figure: Figure }) {
  const place = useRef<HTMLDivElement>(null);
  const marks = useRef<SVGSVGElement>(null);
  const [error, setError] = useState<Error | null>(null);
  const dark = useComputedColorScheme("light") === "dark";

  useEffect(() => {
    const element = place.current;
    const host = element?.parentElement;
    if (!element || !host) return;
    let current = true;
    let drawn: PlotlyElement | null = null;
    const links = figure.links ?? [];
    const click = ({ points }: ClickEvent) => {
      const point = points?.[0];
      const number = point?.pointNumber ?? point?.pointNumbers?.[0];
      const found = point && number !== undefined ? linkTarget(links, point.curveNumber, number) : null;
      if (!found) return;
      play(false);
      if (found.to === "frames") goTo(found.index);
      else {
        if (found.frame !== null) goTo(found.frame);
        select([found.index]);
      }
    };
    const enclose = (event: ClickEvent | undefined) => {
      const taken = (event?.points ?? []).flatMap(({ curveNumber, pointNumber, pointNumbers }) =>
        (pointNumbers ?? (pointNumber === undefined ? [] : [pointNumber])).map((point) => ({
          trace: curveNumber,
          point,
        })),
      );
      const { frames, atoms } = linkedTargets(links, taken);
      if (taken.length) host.dataset.taken = String(taken.length);
      else delete host.dataset.taken;
      if (atoms.length) select(atoms);
      if (frames.length) selectFrames(room, frames);
    };
    // A double click takes the lasso away.
    const deselect = () => {
      delete host.dataset.taken;
      if (links.some(({ to }) => to === "atoms")) select([]);
      if (links.some(({ to }) => to === "frames") && usePlayback.getState().selected.length)
        selectFrames(room, null);
    };
    const mark = () => {
      if (drawn && marks.current) markCurrentFrame(marks.current, drawn, figure, usePlayback.getState().step);
    };
    const draw = async () => {
      const library = await loadPlotly();
      if (!current) return;
      drawn = await library.react(
        element,
        structuredClone(figure.data) as never,
        applyTheme(structuredClone(figure.layout), dark),
        CONFIG,
      );
      drawn.removeAllListeners("plotly_click");
      drawn.removeAllListeners("plotly_selected");
      drawn.removeAllListeners("plotly_deselect");
      drawn.removeAllListeners("plotly_afterplot");
      // What is drawn by the graphics card cannot be counted in the page.
      host.dataset.points = String(
        figure.data.reduce((sum, trace) => sum + (traceValues(trace.x)?.length ?? 0), 0),
      );
      drawn.on("plotly_click", click);
      drawn.on("plotly_selected", enclose);
      drawn.on("plotly_deselect", deselect);
      drawn.on("plotly_afterplot", mark);
      mark();
      setError(null);
    };
    draw().catch(
      (problem) => current && setError(problem instanceof Error ? problem : new Error(String(problem))),
    );
    const stop = usePlayback.subscribe((now, before) => {
      if (now.step !== before.step) mark();
    });
    const observer = new ResizeObserver(() => {
      if (drawn && element.clientWidth > 0)
        void loadPlotly().then((library) => current && library.Plots.resize(element));
    });
    observer.observe(element);
    return () => {
      current = false;
      stop();
      observer.disconnect();
    };
  }, [room, figure, dark]);

  useEffect(() => {
    const element = place.current;
    return () => {
      if (element) void loadPlotly().then((library) => library.purge(element));
    };
  }, []);

  if (error) throw error;
  return (
    <div className="wr-plot" data-testid="figure">
      <div ref={place} style={{ position: "absolute", inset: 0 }} />
      <svg ref={marks} className="wr-plot-marks" aria-hidden="true" />
    </div>
  );
}

/** Draw a dot at each point that is linked to the frame. */
function markCurrentFrame(svg: SVGSVGElement, drawn: PlotlyElement, figure: Figure, frame: number): void {
  const dots: { x: number; y: number; low: number; high: number }[] = [];
  for (const { trace, point } of pointsOfFrame(figure.links ?? [], frame)) {
    const axes = axesOf(drawn, trace);
    if (!axes) continue;
    const [xs, ys] = [traceValues(figure.data[trace]?.x), traceValues(figure.data[trace]?.y)];
    const x = axes.x.pixels(xs ? xs[point] : point);
    const y = axes.y.pixels(ys ? ys[point] : point);
    if (!Number.isFinite(x + y) || x < 0 || x > axes.x.length) continue;
    const { offset, length } = axes.y;
    dots.push({ x: x + axes.x.offset, y: y + offset, low: offset, high: offset + length });
  }
  const parts = dots.map(({ x, y, low, high }) => {
    const line = `<line x1="${x}" x2="${x}" y1="${low}" y2="${high}"/>`;
    return y >= low && y <= high ? `${line}<circle cx="${x}" cy="${y}" r="5.5"/>` : line;
  });
  svg.innerHTML = parts.join("");
}
