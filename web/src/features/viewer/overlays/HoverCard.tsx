// Properties of the atom under the pointer, in the corner below: beside the pointer they would cover the neighbours of the atom.
// Arrays that are not drawn are fetched after a delay.
import { useEffect, useState } from "react";
import { element } from "@/lib/atoms/elements";
import { frameKeyLabel, hasRowPerAtom } from "@/lib/atoms/frameKeys";
import { type Frame, isArray, rowText } from "@/lib/frames";
import { usePlayback } from "@/lib/room/playback";
import { useWholeFrame } from "@/live/room/useWholeFrame";
import type { Stage } from "../stage/stage";
import type { Hover } from "../useStage";

const HOVER_DELAY_MS = 350;
const MAX_ROWS = 9;
/** While the pointer is so close to the corner, the card is in the one above. */
const NEAR_PX = { x: 380, y: 320 };

export function HoverCard({ room, stage, hover }: { room: string; stage: Stage; hover: Hover }) {
  const step = usePlayback((now) => now.step);
  const playing = usePlayback((now) => now.playing);
  const [resting, setResting] = useState(-1);
  useEffect(() => {
    const timer = setTimeout(() => setResting(hover.atom), HOVER_DELAY_MS);
    return () => clearTimeout(timer);
  }, [hover.atom]);
  const whole = useWholeFrame(room, step, resting === hover.atom && !playing);
  const { structure } = stage;
  if (!structure || hover.atom >= structure.count) return null;
  const { symbol, name } = element(structure.numbers[hover.atom]!);
  const near = hover.x < NEAR_PX.x && hover.y > stage.canvas.clientHeight - NEAR_PX.y;
  return (
    <div className="wr-viewer-hover" data-above={near || undefined} role="tooltip">
      <b>{symbol}</b> {name} · atom {hover.atom}
      <dl>
        {rows(
          (whole.isPlaceholderData ? null : whole.data) ?? structure.frame,
          hover.atom,
          structure.count,
        ).map(([key, text]) => (
          <div key={key} style={{ display: "contents" }}>
            <dt>{frameKeyLabel(key)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function rows(frame: Frame, atom: number, count: number): [string, string][] {
  const found: [string, string][] = [];
  for (const [key, value] of frame)
    if (key !== "arrays.numbers" && isArray(value) && hasRowPerAtom(key, value.shape, count))
      found.push([key, rowText(value, atom, 3)]);
  return found
    .sort(([a], [b]) => Number(b === "arrays.positions") - Number(a === "arrays.positions"))
    .slice(0, MAX_ROWS);
}
