// A cross of axes that rotates with the scene; each end is a button that looks along the axis.
import { useEffect, useState } from "react";
import { Quaternion, Vector3 } from "three";
import { AXIS_COLOURS } from "../stage/layers/cell";
import type { Stage } from "../stage/stage";

const NAMES = ["x", "y", "z"] as const;
const AXIS_LENGTH = 28;

interface End {
  axis: number;
  sign: 1 | -1;
  x: number;
  y: number;
  z: number;
}

export function AxesGizmo({ stage }: { stage: Stage }) {
  const [ends, setEnds] = useState<End[]>(() => endsOf(stage));
  useEffect(() => {
    let last = "";
    return stage.onDrawn(() => {
      const now = stage.orbitCamera.orientation
        .toArray()
        .map((part) => part.toFixed(3))
        .join();
      if (now !== last) setEnds(endsOf(stage));
      last = now;
    });
  }, [stage]);
  return (
    <svg className="wr-viewer-axes" viewBox="-42 -42 84 84" role="toolbar" aria-label="Axes">
      {ends.map(({ axis, sign, x, y, z }) => (
        <g
          key={`${axis}${sign}`}
          role="button"
          tabIndex={-1}
          aria-label={`Look from ${sign > 0 ? "+" : "−"}${NAMES[axis]}`}
          onClick={() => lookAlong(stage, axis, sign)}
          onKeyDown={(event) => event.key === "Enter" && lookAlong(stage, axis, sign)}
          opacity={0.55 + 0.45 * ((z + 1) / 2)}
        >
          {sign > 0 && (
            <line
              x1={0}
              y1={0}
              x2={x * AXIS_LENGTH}
              y2={y * AXIS_LENGTH}
              stroke={AXIS_COLOURS[axis]}
              strokeWidth={2.5}
            />
          )}
          <circle
            cx={x * AXIS_LENGTH}
            cy={y * AXIS_LENGTH}
            r={sign > 0 ? 8 : 5.5}
            fill={AXIS_COLOURS[axis]}
            fillOpacity={sign > 0 ? 1 : 0.35}
          />
          {sign > 0 && (
            <text x={x * AXIS_LENGTH} y={y * AXIS_LENGTH}>
              {NAMES[axis]}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

/** The ends of the axes on the screen, farthest first. */
function endsOf(stage: Stage): End[] {
  const back = new Quaternion().copy(stage.orbitCamera.orientation).invert();
  const ends: End[] = [];
  for (let axis = 0; axis < 3; axis++)
    for (const sign of [1, -1] as const) {
      const seen = new Vector3().setComponent(axis, sign).applyQuaternion(back);
      ends.push({ axis, sign, x: seen.x, y: -seen.y, z: seen.z });
    }
  return ends.sort((one, other) => one.z - other.z);
}

export function lookAlong(stage: Stage, axis: number, sign: 1 | -1): void {
  const direction = new Vector3().setComponent(axis, sign);
  stage.lookAlong(direction, axis === 1 ? new Vector3(0, 0, -sign) : new Vector3(0, 1, 0));
}
