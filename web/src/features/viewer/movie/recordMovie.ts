// Draws the frames of the playback one after the other, and writes them into a movie.
import { structureOf } from "@/lib/atoms/structure";
import { along, type Route } from "@/lib/room/playbackFrames";
import type { Trajectory } from "@/lib/trajectory/trajectory";
import type { Stage } from "../stage/stage";
import { composePicture } from "../toolbar/picture/composePicture";
import { GifWriter } from "./gif";

export type MovieFormat = "gif" | "webm";

export interface MovieOptions {
  readonly format: MovieFormat;
  readonly framesPerSecond: number;
  /** Of the movie, in pixels. */
  readonly width: number;
  readonly route: Route;
  readonly signal: AbortSignal;
  progress(done: number, all: number): void;
}

/** Why this browser cannot record WebM; null if it can. */
export function webmObstacle(): string | null {
  if (typeof MediaRecorder === "undefined") return "This browser cannot record videos (no MediaRecorder).";
  if (!MediaRecorder.isTypeSupported("video/webm")) return "This browser records videos, but not as WebM.";
  if (!("captureStream" in HTMLCanvasElement.prototype)) return "This browser cannot record a canvas.";
  return null;
}

export function framesOf(route: Route): number[] {
  const frames: number[] = [];
  for (let at = along(route, route.first - 1, 1); at !== null; at = along(route, at, 1)) frames.push(at);
  return frames;
}

/** The movie; null if it was cancelled. All frames are seen from where the camera is at the start. */
export async function recordMovie(
  stage: Stage,
  trajectory: Trajectory,
  { format, framesPerSecond, width, route, signal, progress }: MovieOptions,
): Promise<Blob | null> {
  const frames = framesOf(route);
  const { size } = stage;
  const view = stage.orbitCamera.state;
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = 2 * Math.round((width * size.height) / size.width / 2);
  const pen = canvas.getContext("2d", { willReadFrequently: format === "gif" })!;
  const writer =
    format === "gif" ? gifSink(canvas, pen, 1 / framesPerSecond) : await webmSink(canvas, framesPerSecond);
  try {
    for (const [number, frame] of frames.entries()) {
      const structure = structureOf(await loaded(trajectory, frame, signal));
      if (signal.aborted) return null;
      stage.show(structure);
      await stage.complete();
      if (signal.aborted) return null;
      stage.orbitCamera.state = view;
      pen.drawImage(composePicture(stage, width / size.width), 0, 0, canvas.width, canvas.height);
      await writer.add();
      progress(number + 1, frames.length);
      if (signal.aborted) return null;
      // The page shows the progress between two frames.
      await new Promise((done) => setTimeout(done));
    }
    return await writer.end();
  } finally {
    writer.release();
  }
}

/** A frame with all that is drawn of it; it may have to be fetched. */
export async function loaded(trajectory: Trajectory, frame: number, signal: AbortSignal) {
  // An error from before says nothing about this frame.
  trajectory.lastError = null;
  for (;;) {
    trajectory.ensureFrame(frame, 1);
    const found = trajectory.frame(frame) ?? (signal.aborted ? trajectory.partial(frame) : undefined);
    if (found) return found;
    if (signal.aborted) return new Map();
    if (trajectory.lastError) throw trajectory.lastError;
    await new Promise<void>((done) => {
      const finish = () => {
        stop();
        signal.removeEventListener("abort", finish);
        done();
      };
      const stop = trajectory.subscribe(finish);
      signal.addEventListener("abort", finish);
    });
  }
}

interface Sink {
  add(): Promise<void>;
  end(): Promise<Blob>;
  /** Ends what still runs; called also after an error or a cancellation. */
  release(): void;
}

function gifSink(canvas: HTMLCanvasElement, pen: CanvasRenderingContext2D, seconds: number): Sink {
  const gif = new GifWriter(canvas.width, canvas.height, seconds);
  return {
    add: async () => gif.add(pen.getImageData(0, 0, canvas.width, canvas.height)),
    end: async () => gif.end(),
    release: () => undefined,
  };
}

/** The browser records in real time: each frame stays on the canvas as long as it lasts in the movie. */
async function webmSink(canvas: HTMLCanvasElement, framesPerSecond: number): Promise<Sink> {
  const stream = canvas.captureStream(0);
  const [track] = stream.getVideoTracks() as CanvasCaptureMediaStreamTrack[];
  const recorder = new MediaRecorder(stream, { mimeType: "video/webm", videoBitsPerSecond: 8_000_000 });
  const parts: Blob[] = [];
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  recorder.start();
  recorder.pause();
  return {
    add: async () => {
      recorder.resume();
      track!.requestFrame();
      await new Promise((done) => setTimeout(done, 1000 / framesPerSecond));
      recorder.pause();
    },
    end: async () => {
      await new Promise((done) => {
        recorder.addEventListener("stop", done);
        recorder.stop();
      });
      return new Blob(parts, { type: "video/webm" });
    },
    release: () => {
      if (recorder.state !== "inactive") recorder.stop();
      track!.stop();
    },
  };
}
