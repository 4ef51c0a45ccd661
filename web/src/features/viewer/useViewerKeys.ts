// Keys while the viewer has the focus.
import { type RefObject, useEffect } from "react";
import { choose, inverted, useSelected } from "@/lib/selected";
import { lookAlong } from "./Axes";
import { useLooks } from "./looks";
import { savePicture } from "./picture";
import type { Stage } from "./stage/stage";

export const VIEWER_KEYS: readonly (readonly [keys: string, does: string])[] = [
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

export function useViewerKeys(panel: RefObject<HTMLElement | null>, stage: Stage | null): void {
  useEffect(() => {
    const element = panel.current;
    if (!element || !stage) return;
    const press = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!act(stage, event.key, event.shiftKey)) return;
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

function act(stage: Stage, key: string, shift: boolean): boolean {
  const { style, set } = useLooks.getState();
  const { atoms } = useSelected.getState();
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
      choose(inverted([], count));
      return true;
    case "i":
      choose(inverted(atoms, count));
      return true;
    case "escape":
      if (atoms.length === 0) return false;
      choose([]);
      return true;
    case "p":
      void savePicture(stage);
      return true;
    default:
      return false;
  }
}
