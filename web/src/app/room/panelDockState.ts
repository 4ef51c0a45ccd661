// What the layout offers to menus outside of it; the layout itself is loaded with the room page only.
import { create } from "zustand";

interface PanelDockState {
  open: string[];
  toggle: (id: string) => void;
  show: (id: string) => void;
  reset: () => void;
}

const noop = () => undefined;

export const NO_DOCK: PanelDockState = { open: [], toggle: noop, show: noop, reset: noop };
export const usePanelDock = create<PanelDockState>(() => NO_DOCK);
