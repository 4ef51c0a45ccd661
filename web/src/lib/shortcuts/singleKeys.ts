// Whether single letters, digits and signs are shortcuts. Speech input and slips of the hand press them by mistake, so they can
// be switched off; the switch holds in this browser. Keys with Ctrl, Escape, arrows and Space always work.
import { create } from "zustand";
import { persist } from "zustand/middleware";

interface SingleKeys {
  on: boolean;
  set: (on: boolean) => void;
}

export const useSingleKeys = create<SingleKeys>()(
  persist((set) => ({ on: true, set: (on) => set({ on }) }), { name: "workroom.single-keys" }),
);
