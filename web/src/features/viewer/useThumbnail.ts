// The picture of the room in lists: taken from this page when the room's frame has been shown for a while.
import { useEffect } from "react";
import { api } from "@/lib/api/client";
import { usePlayback } from "@/lib/room/playback";
import { useMayWrite } from "@/live/room/sharedSelection";
import { useTrajectory } from "@/live/room/sharedTrajectory";
import { useConnection } from "@/live/socket";
import type { Stage } from "./stage/stage";

const REST_MS = 3_000;
/** No two pictures are taken within this time. */
const PAUSE_MS = 120_000;
const LARGEST_BYTES = 10_240;
const WIDTH = 240;
const HEIGHT = 180;
/** The view has a margin around the structure, which a small picture does not need. */
const ZOOM = 1.2;
/** What is tried until the file is small enough: the share of the full size, and the quality of WebP. */
const ATTEMPTS = [
  [1, 0.8],
  [1, 0.5],
  [0.6, 0.6],
  [0.4, 0.5],
] as const;

export function useThumbnail(room: string, stage: Stage | null): void {
  const trajectory = useTrajectory(room);
  const mayWrite = useMayWrite(room);
  useEffect(() => {
    if (!stage || !mayWrite) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let takenAt = Number.NEGATIVE_INFINITY;
    let shown: unknown;
    const wait = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(take, ms);
    };
    const take = () => {
      const { room: here, step, playing, follow } = usePlayback.getState();
      const frame = trajectory.frame(step);
      if (here !== room || !follow || !frame || frame === shown || playing) return;
      if (document.visibilityState !== "visible" || useConnection.getState().standing !== "live") return;
      const rest = takenAt + PAUSE_MS - performance.now();
      if (rest > 0) return wait(rest);
      takenAt = performance.now();
      shown = frame;
      // A room that was deleted or locked meanwhile, or a lost connection: the last picture stays.
      void send(room, stage).catch(() => undefined);
    };
    const again = () => wait(REST_MS);
    again();
    const stops = [usePlayback.subscribe(again), trajectory.subscribe(again)];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [room, stage, trajectory, mayWrite]);
}

async function send(room: string, stage: Stage): Promise<void> {
  const { clientWidth, clientHeight } = stage.canvas;
  if (!clientWidth || !clientHeight) return;
  const image = stage.image(ZOOM * Math.max(WIDTH / clientWidth, HEIGHT / clientHeight));
  for (const [share, quality] of ATTEMPTS) {
    const blob = await encode(image, share, quality);
    if (!blob || blob.size > LARGEST_BYTES) continue;
    await api.PUT("/api/rooms/{room}/thumbnail", {
      params: { path: { room } },
      // The OpenAPI document describes a binary body as a string; the serializer sends the image itself.
      body: "",
      bodySerializer: () => blob,
      headers: { "Content-Type": blob.type },
    });
    return;
  }
}

/** The middle of an image, as WebP; as PNG in browsers that cannot write WebP. */
function encode(image: HTMLCanvasElement, share: number, quality: number): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(WIDTH * share);
  canvas.height = Math.round(HEIGHT * share);
  const scale = ZOOM * Math.max(canvas.width / image.width, canvas.height / image.height);
  const [width, height] = [image.width * scale, image.height * scale];
  const pen = canvas.getContext("2d");
  pen?.drawImage(image, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
  return new Promise((done) => canvas.toBlob(done, "image/webp", quality));
}
