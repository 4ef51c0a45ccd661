// Keyboard shortcuts while the viewer has the focus.
import { type RefObject, useEffect } from "react";
import { inverted, select, useSelection } from "@/lib/room/selectionStore";
import { lookAlong } from "../overlays/AxesGizmo";
import type { Stage } from "../stage/stage";
import { useViewerSettings } from "../viewerSettings";
import { saveImage } from "./saveImage";

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
    // A click on the scene focuses the viewer, so that it receives the keys.
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
