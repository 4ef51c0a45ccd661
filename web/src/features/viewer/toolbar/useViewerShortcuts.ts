// Keyboard shortcuts while the viewer has the focus.
import { type RefObject, useEffect } from "react";
import { inverted, select, useSelection } from "@/lib/room/selectionStore";
import { setTool, toggleTool, useEditing } from "../edit/editStore";
import { keepMeasurement } from "../measurementStore";
import { lookAlong } from "../overlays/AxesGizmo";
import { growSelection, shrinkSelection } from "../selectionCommands";
import type { Stage } from "../stage/stage";
import { useViewerSettings } from "../viewerSettings";
import { hideAtoms, showEverything, toggleLasso, useVisibility } from "../visibilityStore";
import { saveImage } from "./saveImage";

export function useViewerShortcuts(
  room: string,
  panel: RefObject<HTMLElement | null>,
  stage: Stage | null,
): void {
  useEffect(() => {
    const element = panel.current;
    if (!element || !stage) return;
    const press = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!handleKey(room, stage, event.key, event.shiftKey)) return;
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
  }, [room, panel, stage]);
}

/** Whether the keys go into a field. A choice among buttons is an input, too, but takes no letters. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type !== "radio";
}

function handleKey(room: string, stage: Stage, key: string, shift: boolean): boolean {
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
    case "g":
      if (shift) shrinkSelection(stage);
      else growSelection(stage);
      return true;
    case "h":
      if (shift) showEverything();
      else hideAtoms(atoms);
      return true;
    case "m":
      keepMeasurement(room, atoms);
      return true;
    case "l":
      toggleLasso();
      return true;
    case "t":
      toggleTool("translate");
      return true;
    case "r":
      toggleTool("rotate");
      return true;
    case "d":
      toggleTool("draw");
      return true;
    case "escape":
      if (stage.pointerTool?.cancel()) return true;
      if (useEditing.getState().tool) {
        setTool(null);
        return true;
      }
      if (useVisibility.getState().lasso) {
        toggleLasso();
        return true;
      }
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
