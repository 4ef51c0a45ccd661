// The keys of the viewer. They work wherever the focus is on the page of a room, unless it is in a field, a menu or a dialog.
import { type RefObject, useEffect } from "react";
import { inverted, select, useSelection } from "@/lib/room/selectionStore";
import { isInSequence, isOverlayOpen, isTypingOrChoosing } from "@/lib/shortcuts/shortcutFocus";
import { useSingleKeys } from "@/lib/shortcuts/singleKeys";
import { setTool, toggleTool, useEditing } from "../edit/editStore";
import { keepMeasurement } from "../measurementStore";
import { lookAlong } from "../overlays/AxesGizmo";
import { growSelection, shrinkSelection } from "../selectionCommands";
import type { Style } from "../stage/appearance/style";
import type { Stage } from "../stage/stage";
import { useViewerSettings } from "../viewerSettings";
import { hideAtoms, showEverything, toggleLasso, useVisibility } from "../visibilityStore";
import { saveImage } from "./picture/saveImage";

interface Pressed {
  room: string;
  stage: Stage;
  shift: boolean;
}

/** What each key does; false if it has nothing to do, so that others may use it. */
export const VIEWER_KEYS: Readonly<Record<string, (pressed: Pressed) => unknown>> = {
  f: ({ stage }) => stage.fit(),
  x: (pressed) => look(pressed, 0),
  y: (pressed) => look(pressed, 1),
  z: (pressed) => look(pressed, 2),
  o: () => toggleStyle("flat"),
  b: () => toggleStyle("bonds"),
  c: () => toggleStyle("cell"),
  a: ({ stage }) => select(inverted([], countOf(stage))),
  i: ({ stage }) => select(inverted(useSelection.getState().atoms, countOf(stage))),
  "+": ({ stage }) => growSelection(stage),
  "-": ({ stage }) => shrinkSelection(stage),
  h: ({ shift }) => (shift ? showEverything() : hideAtoms(useSelection.getState().atoms)),
  m: ({ room }) => keepMeasurement(room, useSelection.getState().atoms),
  l: toggleLasso,
  t: () => toggleTool("translate"),
  r: () => toggleTool("rotate"),
  d: () => toggleTool("draw"),
  p: ({ stage }) => void saveImage(stage),
  escape: ({ stage }) => leave(stage),
};

function look({ stage, shift }: Pressed, axis: number): void {
  lookAlong(stage, axis, shift ? -1 : 1);
}

function toggleStyle(field: keyof Style & ("flat" | "bonds" | "cell")): void {
  const { style, set } = useViewerSettings.getState();
  set({ [field]: !style[field] });
}

function countOf(stage: Stage): number {
  return stage.structure?.count ?? 0;
}

/** Ends what is in progress, one thing after the other. */
function leave(stage: Stage): boolean {
  if (isOverlayOpen()) return false;
  if (stage.pointerTool?.cancel()) return true;
  if (useEditing.getState().tool) setTool(null);
  else if (useVisibility.getState().lasso) toggleLasso();
  else if (useSelection.getState().atoms.length) select([]);
  else return false;
  return true;
}

export function useViewerShortcuts(
  room: string,
  panel: RefObject<HTMLElement | null>,
  stage: Stage | null,
): void {
  useEffect(() => {
    const element = panel.current;
    if (!element || !stage) return;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isInSequence() || isTypingOrChoosing(event.target)) return;
      const key = event.key.toLowerCase();
      if (key !== "escape" && !useSingleKeys.getState().on) return;
      const act = Object.hasOwn(VIEWER_KEYS, key) ? VIEWER_KEYS[key] : undefined;
      if (!act || act({ room, stage, shift: event.shiftKey }) === false) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // A click on the scene takes the focus away from a field, which would keep the keys.
    const focus = () => element.focus({ preventScroll: true });
    document.addEventListener("keydown", press);
    stage.canvas.addEventListener("pointerdown", focus);
    return () => {
      document.removeEventListener("keydown", press);
      stage.canvas.removeEventListener("pointerdown", focus);
    };
  }, [room, panel, stage]);
}
