// Projects points of the scene to the screen.
import { Vector3 } from "three";
import type { Stage } from "../stage/stage";

/** The position of a point on the canvas, in pixels; null behind the camera. */
export function toScreen(
  stage: Stage,
  point: readonly [number, number, number],
): { x: number; y: number } | null {
  const { camera } = stage.orbitCamera;
  const seen = new Vector3(...point).project(camera);
  if (seen.z > 1 || seen.z < -1) return null;
  const { width, height } = stage.size;
  return { x: ((seen.x + 1) / 2) * width, y: ((1 - seen.y) / 2) * height };
}

export function atomPosition(stage: Stage, atom: number): [number, number, number] {
  const { positions } = stage.atoms;
  return [positions[4 * atom]!, positions[4 * atom + 1]!, positions[4 * atom + 2]!];
}
