// Global keyboard shortcuts. Features handle their own keys in their components; the shortcut sheet lists both.
import { useHotkeys } from "@mantine/hooks";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { openCommandPalette } from "@/app/shell/commandPaletteState";
import { ALL_ITEMS, useNavigationItems } from "@/app/shell/navigation";
import { useShortcutSheet } from "@/app/shell/ShortcutSheet";
import { VIEWER_SHORTCUTS } from "@/lib/room/viewerShortcuts";
import { endSequence, isInSequence, isTypingOrChoosing, startSequence } from "@/lib/shortcuts/shortcutFocus";
import { useSingleKeys } from "@/lib/shortcuts/singleKeys";

/** Pages of the room that is shown. */
export const ROOM_PAGE_KEYS: Readonly<
  Record<string, { to: "/rooms/$room" | "/rooms/$room/jobs"; does: string }>
> = {
  v: { to: "/rooms/$room", does: "Room page" },
  j: { to: "/rooms/$room/jobs", does: "Its jobs" },
};

export function shortcutGroups() {
  return [
    {
      title: "Everywhere",
      shortcuts: [
        { keys: "Ctrl K", does: "Go to a room, page or extension (⌘ K on a Mac)" },
        { keys: "?", does: "This sheet" },
        ...ALL_ITEMS.map(({ key, label }) => ({
          keys: `g ${key}`,
          does: label === "Admin" ? "Admin (for admins)" : label,
        })),
      ],
    },
    {
      title: "In a room",
      shortcuts: [
        ...Object.entries(ROOM_PAGE_KEYS).map(([keys, { does }]) => ({ keys, does })),
        { keys: "Ctrl Enter", does: "Run the extension whose form is open" },
        { keys: "Space", does: "Play or pause the trajectory" },
        { keys: "← →", does: "Previous or next frame" },
        { keys: "Shift ← →", does: "5 % of the trajectory back or ahead" },
        { keys: "Home End", does: "First or last frame" },
        { keys: "Ctrl Z", does: "Undo your last change" },
        { keys: "Ctrl Shift Z", does: "Redo what you undid last" },
      ],
    },
    {
      title: "On the page of a room, outside of fields and menus",
      shortcuts: VIEWER_SHORTCUTS,
    },
  ];
}

export function useShortcuts() {
  const navigate = useNavigate();
  const places = useNavigationItems();
  const { room } = useParams({ strict: false });
  const show = useShortcutSheet((sheet) => sheet.show);

  useHotkeys([["mod+K", openCommandPalette]]);

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTypingOrChoosing(event.target)) return;
      if (!useSingleKeys.getState().on) return;
      if (isInSequence()) {
        endSequence();
        const place = places.find((one) => one.key === event.key);
        if (place) {
          event.preventDefault();
          void navigate({ to: place.to });
        }
        return;
      }
      if (event.key === "?") show();
      else if (event.key === "g") startSequence();
      else if (room && Object.hasOwn(ROOM_PAGE_KEYS, event.key))
        void navigate({ to: ROOM_PAGE_KEYS[event.key]!.to, params: { room } });
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [navigate, places, room, show]);
}
