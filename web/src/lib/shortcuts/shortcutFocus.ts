/** Which keys are shortcuts: none while the focus is where they are text or choose from a menu. */

const TEXT = "textarea, select, [contenteditable=true], [role=dialog], [role=menu], [role=listbox]";
/** Inputs that take no letters. */
const NO_TEXT = /^(radio|checkbox|button|submit|range|color)$/;

export function isTypingOrChoosing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && !NO_TEXT.test(target.type)) return true;
  return target.isContentEditable || target.closest(TEXT) !== null;
}

/** Whether a menu or a dialog is open. Escape closes it, also after the button in it that had the focus has gone. */
export function isOverlayOpen(): boolean {
  return [...document.querySelectorAll("[role=dialog], [role=menu], [role=listbox]")].some(
    (overlay) => overlay.getClientRects().length > 0,
  );
}

const PREFIX_MS = 1_000;
let prefixAt = Number.NEGATIVE_INFINITY;

/** `g`, the first key of "g j" and others, was pressed: the next key belongs to it. */
export function startSequence(): void {
  prefixAt = performance.now();
}

export function endSequence(): void {
  prefixAt = Number.NEGATIVE_INFINITY;
}

export function isInSequence(): boolean {
  return performance.now() - prefixAt < PREFIX_MS;
}
