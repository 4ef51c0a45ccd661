// Labels and lines of a measurement, drawn over the stage and moved with it.
import { Vector3 } from "three";
import type { Stage } from "../stage/stage";

/** Where a point of the scene is on the stage, in pixels; null behind the eye. */
export function toScreen(
  stage: Stage,
  point: readonly [number, number, number],
): { x: number; y: number } | null {
  const { camera } = stage.orbitCamera;
  const seen = new Vector3(...point).project(camera);
  if (seen.z > 1 || seen.z < -1) return null;
  const { clientWidth, clientHeight } = stage.canvas;
  return { x: ((seen.x + 1) / 2) * clientWidth, y: ((1 - seen.y) / 2) * clientHeight };
}

export function atomPosition(stage: Stage, atom: number): [number, number, number] {
  const { positions } = stage.atoms;
  return [positions[4 * atom]!, positions[4 * atom + 1]!, positions[4 * atom + 2]!];
}

/** Atoms bonded to an atom directly or through others: its molecule. Halves through faces count too. */
export function moleculeOf(cylinders: Int32Array, atom: number): number[] {
  const neighbours = new Map<number, number[]>();
  const link = (from: number, to: number) => {
    const known = neighbours.get(from);
    if (known) known.push(to);
    else neighbours.set(from, [to]);
  };
  for (let at = 0; at < cylinders.length; at += 3) {
    link(cylinders[at]!, cylinders[at + 1]!);
    link(cylinders[at + 1]!, cylinders[at]!);
  }
  const found = new Set([atom]);
  const next = [atom];
  for (let one = next.pop(); one !== undefined; one = next.pop())
    for (const other of neighbours.get(one) ?? [])
      if (!found.has(other)) {
        found.add(other);
        next.push(other);
      }
  return [...found];
}
