// Ctrl+Enter runs the form, wherever the focus is, except where the keys belong to something else.
import { useHotkeys } from "@mantine/hooks";
import { isOverlayOpen, isTypingOrChoosing } from "@/lib/shortcuts/shortcutFocus";

export function useRunShortcut(formId: string, run: () => void): void {
  const press = (event: KeyboardEvent) => {
    // A field of another form, such as a message of the chat, or a list of choices has taken the keys.
    if (event.defaultPrevented || event.repeat) return;
    const isInForm = document.getElementById(formId)?.contains(event.target as Node | null);
    if (!isInForm && (isTypingOrChoosing(event.target) || isOverlayOpen())) return;
    event.preventDefault();
    run();
  };
  useHotkeys([["mod+Enter", press, { preventDefault: false }]], []);
}
