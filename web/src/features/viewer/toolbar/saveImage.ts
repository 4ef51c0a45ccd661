// Saves the scene as a PNG file with twice the screen resolution.
import { usePlayback } from "@/lib/room/playback";
import type { Stage } from "../stage/stage";
import { composePicture } from "./composePicture";

const SCALE = 2;

export async function saveImage(stage: Stage): Promise<void> {
  const scale = SCALE * Math.max(1, globalThis.devicePixelRatio || 1);
  const picture = composePicture(stage, scale, stage.style.transparent);
  const blob = await new Promise<Blob | null>((done) => picture.toBlob(done, "image/png"));
  if (!blob) return;
  const { room, step } = usePlayback.getState();
  download(blob, `${room}-${step}.png`);
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
