/** The frames that playback visits: every one, each n-th, a part of the trajectory, or the selected ones. */
import type { EndBehaviour } from "./playback";

export interface Route {
  readonly first: number;
  readonly last: number;
  /** Each n-th frame, counted from the first. */
  readonly stride: number;
  /** Only these frames, in ascending order; null for all. */
  readonly frames: readonly number[] | null;
}

export interface RouteSettings {
  stride: number;
  /** A part of the trajectory; null for all of it. */
  range: { readonly from: number; readonly to: number } | null;
  /** Whether only selected frames are visited. */
  onlySelected: boolean;
  selected: readonly number[];
}

export function routeOf({ stride, range, onlySelected, selected }: RouteSettings, length: number): Route {
  const first = Math.max(0, Math.min(range?.from ?? 0, length - 1));
  const last = Math.max(first, Math.min(range?.to ?? length - 1, length - 1));
  const step = Math.max(1, Math.trunc(stride) || 1);
  if (!onlySelected || selected.length === 0) return { first, last, stride: step, frames: null };
  const frames = [...new Set(selected)]
    .filter((frame) => frame >= first && frame <= last)
    .sort((a, b) => a - b)
    .filter((_, at) => at % step === 0);
  return { first, last, stride: step, frames };
}

/** Whether the route visits every frame of the trajectory. */
export function isPlain({ first, last, stride, frames }: Route, length: number): boolean {
  return first === 0 && last === length - 1 && stride === 1 && frames === null;
}

/** The next frame of the route in a direction; null behind its end. */
export function along(route: Route, step: number, direction: 1 | -1): number | null {
  const { first, last, stride, frames } = route;
  if (frames)
    return (
      (direction > 0 ? frames.find((frame) => frame > step) : frames.findLast((frame) => frame < step)) ??
      null
    );
  const most = Math.floor((last - first) / stride);
  const place = (step - first) / stride;
  const next = direction > 0 ? Math.max(0, Math.floor(place) + 1) : Math.min(most, Math.ceil(place) - 1);
  return next < 0 || next > most ? null : first + next * stride;
}

/** The step after the given one; null at the end, or if the route has no other frame. */
export function nextStep(
  step: number,
  route: Route,
  direction: 1 | -1,
  ending: EndBehaviour,
): { step: number; direction: 1 | -1 } | null {
  const further = along(route, step, direction);
  if (further !== null) return { step: further, direction };
  if (ending === "stop") return null;
  const back = direction > 0 ? -1 : 1;
  const turned =
    ending === "loop"
      ? along(route, direction > 0 ? route.first - 1 : route.last + 1, direction)
      : along(route, step, back);
  if (turned === null || turned === step) return null;
  return { step: turned, direction: ending === "loop" ? direction : back };
}
