// Keys while a new geometry is drawn. Ctrl+Z removes the last point before it undoes changes of the room.
import { useEffect, useRef } from "react";

export function useDrawKeys(active: boolean, undoPoint: () => boolean, finish: () => void): void {
  const latest = useRef({ undoPoint, finish });
  latest.current = { undoPoint, finish };
  useEffect(() => {
    if (!active) return;
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (target.closest("input:not([type=radio], [type=checkbox]), textarea, select, [role=dialog]")) return;
      const control = event.ctrlKey || event.metaKey;
      const undoes =
        event.key === "Backspace" || (control && !event.shiftKey && event.key.toLowerCase() === "z");
      const finishes = event.key === "Enter" && !control && !target.closest("button, a, [role=option]");
      if (undoes ? !latest.current.undoPoint() : !finishes) return;
      if (finishes) latest.current.finish();
      event.preventDefault();
      event.stopPropagation();
    };
    // Before the listeners of the room, which would undo its last change.
    window.addEventListener("keydown", press, { capture: true });
    return () => window.removeEventListener("keydown", press, { capture: true });
  }, [active]);
}
