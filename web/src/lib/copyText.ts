// Copies text to the clipboard. Browsers offer `navigator.clipboard` only to pages from https or localhost; a page from another
// host over plain http copies with the older command.
import { notifyError } from "@/lib/notifications";

/** Whether the text was copied; if it was not, a notice says so. */
export async function copyText(text: string): Promise<boolean> {
  const copied = (await writeClipboard(text)) || copySelected(text);
  if (!copied)
    notifyError(
      new Error("The browser does not let this page copy. Select the text, and press Ctrl C (⌘ C on a Mac)."),
      "Nothing was copied",
    );
  return copied;
}

async function writeClipboard(text: string): Promise<boolean> {
  // The types do not say that it is missing on pages over plain http.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) return false;
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    return false; // the user has refused it, or the page has not the focus
  }
}

function copySelected(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.style.cssText = "position: fixed; top: 0; left: 0; opacity: 0";
  const focused = document.activeElement;
  // Within an open dialog, which would take the focus back.
  (focused?.closest("[role=dialog]") ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
