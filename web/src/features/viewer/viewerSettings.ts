// The viewer settings of this browser, shared by all rooms.
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { DEFAULT_STYLE, type Style } from "./stage/style";

interface ViewerSettings {
  style: Style;
  set: (part: Partial<Style>) => void;
}

export const useViewerSettings = create<ViewerSettings>()(
  persist(
    (set) => ({
      style: DEFAULT_STYLE,
      set: (part) => set(({ style }) => ({ style: { ...style, ...part } })),
    }),
    {
      name: "workroom.viewer",
      version: 1,
      // Fields that are missing in the stored settings get their defaults.
      merge: (stored, now) => ({
        ...now,
        style: { ...DEFAULT_STYLE, ...(stored as Partial<ViewerSettings> | undefined)?.style },
      }),
    },
  ),
);
