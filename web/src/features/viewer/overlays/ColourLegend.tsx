import { colourMap, gradient, ticks } from "@/lib/atoms/colourmaps";
import { frameKeyLabel, unitOf } from "@/lib/atoms/frameKeys";
import type { Legend as Shown } from "../stage/appearance/atomAppearance";

export function ColourLegend({ legend }: { legend: Shown | null }) {
  if (!legend) return null;
  const { min, max, key, map } = legend;
  const width = max - min;
  return (
    <figure
      className="wr-viewer-legend"
      style={{ margin: 0 }}
      aria-label={`Colours by ${frameKeyLabel(key)}`}
    >
      <figcaption>
        {frameKeyLabel(key)}
        {unitOf(key) && ` (${unitOf(key)})`}
      </figcaption>
      <div className="bar" style={{ background: gradient(colourMap(map)) }} />
      <div className="ticks">
        {ticks(legend, 4).map((tick) => (
          <span key={tick} style={{ left: `${width > 0 ? ((tick - min) / width) * 100 : 50}%` }}>
            {short(tick)}
          </span>
        ))}
      </div>
    </figure>
  );
}

function short(number: number): string {
  const size = Math.abs(number);
  return size !== 0 && (size < 1e-3 || size >= 1e5)
    ? number.toExponential(0)
    : String(number).replace("-", "−");
}
