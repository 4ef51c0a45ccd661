// The current frame of this page and the state of playback.
import { create } from "zustand";
import { along, type Route, type RouteSettings, routeOf } from "./playbackFrames";

export type EndBehaviour = "loop" | "stop" | "bounce";

interface Playback extends RouteSettings {
  room: string;
  step: number;
  length: number;
  playing: boolean;
  direction: 1 | -1;
  /** Frames per second. */
  speed: number;
  ending: EndBehaviour;
  /** Share the current step with the other users of the room; otherwise this page is independent. */
  follow: boolean;
  /** The other user who changed the step last. */
  presenter: { name: string; at: number } | null;
  /** Whether playback waits for frames. */
  waiting: boolean;
  /** Incremented with every step that is taken on this page; steps of the room do not count. */
  localRevision: number;
}

const WHOLE_TRAJECTORY: RouteSettings = { stride: 1, range: null, onlySelected: false, selected: [] };

export const usePlayback = create<Playback>(() => ({
  room: "",
  step: 0,
  length: 0,
  playing: false,
  direction: 1,
  speed: 20,
  ending: "loop",
  follow: true,
  presenter: null,
  waiting: false,
  localRevision: 0,
  ...WHOLE_TRAJECTORY,
}));

export const SPEEDS = [1, 2, 5, 10, 20, 30, 60] as const;

/** Reset the state for another room. */
export function enterRoom(room: string): void {
  if (usePlayback.getState().room === room) return;
  usePlayback.setState({
    room,
    step: 0,
    length: 0,
    playing: false,
    direction: 1,
    follow: true,
    presenter: null,
    waiting: false,
    ...WHOLE_TRAJECTORY,
  });
}

/** Go to a frame; negative numbers count from the end, and larger ones select the last frame. */
export function goTo(step: number): void {
  usePlayback.setState(({ length, localRevision }) => ({
    step: clampStep(step, length),
    presenter: null,
    localRevision: localRevision + 1,
  }));
}

/** Take the next step of playback. */
export function advance(coming: { step: number; direction: 1 | -1 }): void {
  usePlayback.setState(({ localRevision }) => ({
    ...coming,
    waiting: false,
    presenter: null,
    localRevision: localRevision + 1,
  }));
}

export function clampStep(step: number, length: number): number {
  if (length <= 0 || !Number.isFinite(step)) return 0;
  const whole = Math.trunc(step);
  return Math.max(0, Math.min(length - 1, whole < 0 ? length + whole : whole));
}

export function play(playing: boolean): void {
  const { step, length, ending, direction } = usePlayback.getState();
  const route = currentRoute();
  if (!playing) {
    usePlayback.setState({ playing: false, waiting: false });
    return;
  }
  if (ending === "stop" && direction === 1 && along(route, step, 1) === null) goTo(along(route, -1, 1) ?? 0);
  usePlayback.setState({ playing: length > 1, presenter: null });
}

/** The frames that playback visits now. */
export function currentRoute(): Route {
  const now = usePlayback.getState();
  return routeOf(now, now.length);
}

/** The index of the same frame after splices, or the nearest frame if it was removed. */
export function shiftStep(
  step: number,
  splices: readonly { start: number; removed: number; added: number }[],
): number {
  let at = step;
  for (const { start, removed, added } of splices) {
    if (at >= start + removed) at += added - removed;
    else if (at >= start && added !== removed) at = Math.min(at, Math.max(start, start + added - 1));
  }
  return at;
}
