// The layout commands that menus outside the dock use; the dock itself is loaded only with the room page.
import { create } from "zustand";

interface PanelDockCommands {
  open: string[];
  toggle: (id: string) => void;
  show: (id: string) => void;
  reset: () => void;
}

const noop = () => undefined;

export const NO_DOCK: PanelDockCommands = { open: [], toggle: noop, show: noop, reset: noop };
export const usePanelDock = create<PanelDockCommands>(() => NO_DOCK);
