// How this browser likes its atoms; remembered for all rooms.
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { PLAIN, type Style } from "./stage/style";

interface Looks {
  style: Style;
  set: (part: Partial<Style>) => void;
}

export const useLooks = create<Looks>()(
  persist(
    (set) => ({
      style: PLAIN,
      set: (part) => set(({ style }) => ({ style: { ...style, ...part } })),
    }),
    {
      name: "workroom.viewer",
      version: 1,
      // Fields that came later have their defaults.
      merge: (kept, now) => ({
        ...now,
        style: { ...PLAIN, ...(kept as Partial<Looks> | undefined)?.style },
      }),
    },
  ),
);
