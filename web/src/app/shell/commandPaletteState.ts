// Whether the command palette is open. Its code is loaded when it is opened for the first time.
import { create } from "zustand";

export const useCommandPalette = create<{ opened: boolean; wasOpened: boolean }>(() => ({
  opened: false,
  wasOpened: false,
}));

export const openCommandPalette = () => useCommandPalette.setState({ opened: true, wasOpened: true });
