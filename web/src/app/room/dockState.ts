// What the layout offers to menus outside of it; the layout itself is loaded with the room page only.
import { create } from "zustand";

interface DockState {
  open: string[];
  toggle: (id: string) => void;
  show: (id: string) => void;
  reset: () => void;
}

const nothing = () => undefined;

export const noDock: DockState = { open: [], toggle: nothing, show: nothing, reset: nothing };
export const useDockState = create<DockState>(() => noDock);
