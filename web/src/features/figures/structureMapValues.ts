// The values of frames that the structure map draws, and those of frames that were appended since.
import { api } from "@/lib/api/client";
import { readFrames } from "@/lib/frames";
import { axisValue, keysOfAxis } from "./frameScalars";

/** Of longer trajectories frames in equal distances are shown. */
const MOST_POINTS = 20_000;

export interface MapValues {
  /** Those that have a point. */
  frames: number[];
  /** How many frames the trajectory has. */
  length: number;
  columns: Map<string, number[]>;
}

const distance = (length: number) => Math.max(1, Math.ceil(length / MOST_POINTS));

export function fetchValues(room: string, axes: readonly string[], length: number, signal: AbortSignal) {
  const nothing = { frames: [], length: 0, columns: new Map(axes.map((axis) => [axis, []])) };
  return fetchFrom(room, 0, axes, nothing, length, signal);
}

/** The values with those of the frames behind them; all again if the distance between frames is another now. */
export function fetchNewValues(
  room: string,
  axes: readonly string[],
  known: MapValues,
  length: number,
  signal: AbortSignal,
): Promise<MapValues> {
  if (distance(length) !== distance(known.length)) return fetchValues(room, axes, length, signal);
  return fetchFrom(room, known.frames.length * distance(length), axes, known, length, signal);
}

async function fetchFrom(
  room: string,
  start: number,
  axes: readonly string[],
  known: MapValues,
  length: number,
  signal: AbortSignal,
): Promise<MapValues> {
  if (start >= length) return { ...known, length };
  const step = distance(length);
  const frames = [...known.frames];
  const columns = new Map(axes.map((axis) => [axis, [...(known.columns.get(axis) ?? [])]]));
  const keys = [...new Set(axes.flatMap(keysOfAxis))];
  const { data } = await api.GET("/api/rooms/{room}/frames", {
    params: {
      path: { room },
      query: { start, stop: length, step, keys: [(keys.length ? keys : ["pbc"]).join(",")] },
    },
    parseAs: "stream",
    signal,
  });
  for await (const frame of data ? readFrames(data) : []) {
    const index = frames.length * step;
    frames.push(index);
    for (const axis of axes) columns.get(axis)!.push(axisValue(frame, axis, index));
  }
  return { frames, length, columns };
}
