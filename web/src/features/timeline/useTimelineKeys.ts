// Keys for the timeline, wherever the focus is, unless somebody is typing.
import { useEffect } from "react";
import { goTo, play, usePlayback } from "@/lib/room/playback";

export function useTimelineKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isBusy(event)) return;
      if (!handleKey(event.key, event.shiftKey)) return;
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** Whether the key is for what has the focus: a field, a button, a menu, a dialogue. */
function isBusy({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target.closest("input, textarea, select, [role=dialog], [role=menu], [role=listbox]")
  )
    return true;
  return key === " "
    ? target.closest("button, a, [role=button], [role=tab]") !== null
    : target.closest("[role=slider], [role=tab], [role=radiogroup], [role=tree]") !== null;
}

function handleKey(key: string, shift: boolean): boolean {
  const { step, length, playing } = usePlayback.getState();
  if (length === 0) return false;
  const far = shift ? Math.max(1, Math.round(length / 20)) : 1;
  switch (key) {
    case " ":
      play(!playing);
      return true;
    case "ArrowRight":
      play(false);
      goTo(Math.min(step + far, length - 1));
      return true;
    case "ArrowLeft":
      play(false);
      goTo(Math.max(step - far, 0));
      return true;
    case "Home":
      goTo(0);
      return true;
    case "End":
      goTo(length - 1);
      return true;
    default:
      return false;
  }
}
