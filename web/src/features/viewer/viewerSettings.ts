// How this browser likes its atoms; remembered for all rooms.
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
      // Fields that came later have their defaults.
      merge: (kept, now) => ({
        ...now,
        style: { ...DEFAULT_STYLE, ...(kept as Partial<ViewerSettings> | undefined)?.style },
      }),
    },
  ),
);
