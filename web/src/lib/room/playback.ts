// Which frame this page shows, and how it plays.
import { create } from "zustand";

export type EndBehaviour = "loop" | "stop" | "bounce";

interface Playback {
  room: string;
  step: number;
  length: number;
  playing: boolean;
  direction: 1 | -1;
  /** Frames a second. */
  speed: number;
  ending: EndBehaviour;
  /** Go where the others go, and take them along; otherwise this page is on its own. */
  follow: boolean;
  /** Who moved everybody last, if that was somebody else. */
  presenter: { name: string; at: number } | null;
  /** Whether playing waits for frames. */
  waiting: boolean;
}

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
}));

export const SPEEDS = [1, 2, 5, 10, 20, 30, 60] as const;

/** Enter a room: nothing of the last one is left. */
export function enterRoom(room: string): void {
  if (usePlayback.getState().room === room) return;
  usePlayback.setState({
    room,
    step: 0,
    length: 0,
    playing: false,
    direction: 1,
    presenter: null,
    waiting: false,
  });
}

/** Go to a frame because somebody here wants to; the last one if it is beyond, counted from the end if negative. */
export function goTo(step: number): void {
  usePlayback.setState(({ length }) => ({ step: clampStep(step, length), presenter: null }));
}

export function clampStep(step: number, length: number): number {
  if (length <= 0 || !Number.isFinite(step)) return 0;
  const whole = Math.trunc(step);
  return Math.max(0, Math.min(length - 1, whole < 0 ? length + whole : whole));
}

export function play(playing: boolean): void {
  usePlayback.setState(({ step, length, ending, direction }) => {
    if (!playing) return { playing: false, waiting: false };
    const atEnd = ending === "stop" && direction === 1 && step >= length - 1;
    return { playing: length > 1, presenter: null, ...(atEnd ? { step: 0 } : {}) };
  });
}

/** Where playing goes next; null when it is over. */
export function nextStep(
  step: number,
  length: number,
  direction: 1 | -1,
  ending: EndBehaviour,
): { step: number; direction: 1 | -1 } | null {
  const further = step + direction;
  if (further >= 0 && further < length) return { step: further, direction };
  if (length < 2 || ending === "stop") return null;
  if (ending === "loop") return { step: direction > 0 ? 0 : length - 1, direction };
  return { step: step - direction, direction: direction > 0 ? -1 : 1 };
}

/** Where a step is after frames before it were taken out or put in: at the same frame, or where that was. */
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
