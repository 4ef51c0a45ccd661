import { colourMap, gradient, type Range, ticks } from "@/lib/colourmaps";
import { nameOf } from "./keysOf";
import { useLooks } from "./looks";

export function Legend({ range }: { range: Range | null }) {
  const { colourBy, colourMap: map } = useLooks(({ style }) => style);
  if (!range || !colourBy) return null;
  const width = range.max - range.min;
  return (
    <figure className="wr-viewer-legend" style={{ margin: 0 }} aria-label={`Colours by ${nameOf(colourBy)}`}>
      <figcaption>{nameOf(colourBy)}</figcaption>
      <div className="bar" style={{ background: gradient(colourMap(map)) }} />
      <div className="ticks">
        {ticks(range, 4).map((tick) => (
          <span key={tick} style={{ left: `${width > 0 ? ((tick - range.min) / width) * 100 : 50}%` }}>
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
