// How pictures are saved: their size, and whether they show what is selected. This browser keeps it.
import { create } from "zustand";
import { persist } from "zustand/middleware";

/** Times the size of the scene on the page, or a width in pixels. */
export type PictureSize = "1x" | "2x" | "4x" | "width";

interface PictureSettings {
  size: PictureSize;
  /** In pixels, for the size "width". */
  width: number;
  /** Whether selected atoms and the one under the pointer keep their rings. */
  rings: boolean;
}

export const PICTURE_SIZES: readonly PictureSize[] = ["1x", "2x", "4x", "width"];
export const [NARROWEST_PICTURE, WIDEST_PICTURE] = [100, 8_192];

export const usePictureSettings = create<PictureSettings>()(
  persist((): PictureSettings => ({ size: "2x", width: 1_920, rings: false }), {
    name: "workroom.picture",
    version: 1,
  }),
);

/** Pixels of the picture for each pixel of a scene that is so many pixels wide on the page. */
export function pictureScale(
  { size, width }: Pick<PictureSettings, "size" | "width">,
  shown: number,
): number {
  if (size === "width") return width / Math.max(1, shown);
  return Number.parseInt(size, 10);
}
