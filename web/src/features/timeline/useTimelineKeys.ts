// Keyboard shortcuts of the timeline, active unless the focused element handles the key itself.
import { useEffect } from "react";
import { goTo, play, usePlayback } from "@/lib/room/playback";
import { isTypingOrChoosing } from "@/lib/shortcuts/shortcutFocus";

type Playback = ReturnType<typeof usePlayback.getState>;

export const TIMELINE_KEYS: Readonly<Record<string, (now: Playback, shift: boolean) => void>> = {
  " ": ({ playing }) => play(!playing),
  ArrowRight: (now, shift) => moveTo(Math.min(now.step + stride(now, shift), now.length - 1)),
  ArrowLeft: (now, shift) => moveTo(Math.max(now.step - stride(now, shift), 0)),
  Home: () => goTo(0),
  End: ({ length }) => goTo(length - 1),
};

function stride({ length }: Playback, shift: boolean): number {
  return shift ? Math.max(1, Math.round(length / 20)) : 1;
}

function moveTo(step: number): void {
  play(false);
  goTo(step);
}

export function useTimelineKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isBusy(event)) return;
      const now = usePlayback.getState();
      const act = Object.hasOwn(TIMELINE_KEYS, event.key) ? TIMELINE_KEYS[event.key] : undefined;
      if (!act || now.length === 0) return;
      act(now, event.shiftKey);
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** Whether the focused element handles the key itself: a field, a button, a menu, a dialog. */
function isBusy({ target, key }: KeyboardEvent): boolean {
  if (isTypingOrChoosing(target)) return true;
  if (!(target instanceof HTMLElement)) return false;
  return key === " "
    ? target.closest("button, a, input, [role=button], [role=tab]") !== null
    : target.closest("input, [role=slider], [role=tab], [role=radiogroup], [role=tree]") !== null;
}
