// Keys while the viewer has the focus.
import { type RefObject, useEffect } from "react";
import { inverted, select, useSelection } from "@/lib/room/selectionStore";
import { lookAlong } from "../overlays/AxesGizmo";
import type { Stage } from "../stage/stage";
import { useViewerSettings } from "../viewerSettings";
import { saveImage } from "./saveImage";

export const VIEWER_SHORTCUTS: readonly (readonly [keys: string, does: string])[] = [
  ["F", "See everything"],
  ["X · Y · Z", "Look along an axis (with Shift from the other side)"],
  ["O", "Perspective on or off"],
  ["B", "Bonds on or off"],
  ["C", "Cell on or off"],
  ["A", "Select all atoms"],
  ["I", "Invert the selection"],
  ["Esc", "Select nothing"],
  ["P", "Save a picture"],
];

export function useViewerShortcuts(panel: RefObject<HTMLElement | null>, stage: Stage | null): void {
  useEffect(() => {
    const element = panel.current;
    if (!element || !stage) return;
    const press = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!handleKey(stage, event.key, event.shiftKey)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Clicking the scene takes the focus, so that keys are for it.
    const focus = () => element.focus({ preventScroll: true });
    element.addEventListener("keydown", press);
    stage.canvas.addEventListener("pointerdown", focus);
    return () => {
      element.removeEventListener("keydown", press);
      stage.canvas.removeEventListener("pointerdown", focus);
    };
  }, [panel, stage]);
}

function handleKey(stage: Stage, key: string, shift: boolean): boolean {
  const { style, set } = useViewerSettings.getState();
  const { atoms } = useSelection.getState();
  const count = stage.structure?.count ?? 0;
  switch (key.toLowerCase()) {
    case "f":
      stage.fit();
      return true;
    case "x":
    case "y":
    case "z":
      lookAlong(stage, "xyz".indexOf(key.toLowerCase()), shift ? -1 : 1);
      return true;
    case "o":
      set({ flat: !style.flat });
      return true;
    case "b":
      set({ bonds: !style.bonds });
      return true;
    case "c":
      set({ cell: !style.cell });
      return true;
    case "a":
      select(inverted([], count));
      return true;
    case "i":
      select(inverted(atoms, count));
      return true;
    case "escape":
      if (atoms.length === 0) return false;
      select([]);
      return true;
    case "p":
      void saveImage(stage);
      return true;
    default:
      return false;
  }
}
