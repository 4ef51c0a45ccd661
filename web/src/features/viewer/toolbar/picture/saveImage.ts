// Saves the scene as a PNG file, in the size that the user chose.
import { download } from "@/lib/download";
import { notify } from "@/lib/notifications";
import { usePlayback } from "@/lib/room/playback";
import type { Stage } from "../../stage/stage";
import { composePicture } from "./composePicture";
import { pictureScale, usePictureSettings } from "./pictureSettings";

export async function saveImage(stage: Stage): Promise<void> {
  const settings = usePictureSettings.getState();
  const scale = pictureScale(settings, stage.canvas.clientWidth);
  const { transparent } = stage.style;
  const picture = composePicture(stage, scale, { transparent, rings: settings.rings });
  const blob = await new Promise<Blob | null>((done) => picture.toBlob(done, "image/png"));
  if (!blob) {
    notify("The browser could not make a picture of this size. Choose a smaller one.");
    return;
  }
  const { room, step } = usePlayback.getState();
  download(blob, `${room}-${step}.png`);
}
