// Global keyboard shortcuts. Features handle their own keys in their components; the shortcut sheet lists both.
import { useHotkeys } from "@mantine/hooks";
import { spotlight } from "@mantine/spotlight";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useNavigationItems } from "@/app/shell/navigation";
import { useShortcutSheet } from "@/app/shell/ShortcutSheet";
import { VIEWER_SHORTCUTS } from "@/lib/room/viewerShortcuts";

export function shortcutGroups() {
  return [
    {
      title: "Everywhere",
      shortcuts: [
        { keys: "Ctrl K", does: "Go to a room, page or extension (⌘ K on a Mac)" },
        { keys: "?", does: "This sheet" },
        { keys: "g r", does: "Rooms" },
        { keys: "g j", does: "Jobs" },
        { keys: "g w", does: "Workers" },
        { keys: "g p", does: "Postings" },
        { keys: "g f", does: "Profiles" },
      ],
    },
    {
      title: "In a room",
      shortcuts: [
        { keys: "v", does: "Room page" },
        { keys: "j", does: "Its jobs" },
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
      title: "In the viewer, after a click into the scene",
      shortcuts: VIEWER_SHORTCUTS,
    },
  ];
}

export function useShortcuts() {
  const navigate = useNavigate();
  const places = useNavigationItems();
  const { room } = useParams({ strict: false });
  const show = useShortcutSheet((sheet) => sheet.show);
  const waiting = useRef(0);

  useHotkeys([["mod+K", () => spotlight.open()]]);

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      if (Date.now() - waiting.current < 1_000) {
        waiting.current = 0;
        const place = places.find((one) => one.key === event.key);
        if (place) {
          event.preventDefault();
          void navigate({ to: place.to });
        }
        return;
      }
      if (event.key === "?") show();
      else if (event.key === "g") waiting.current = Date.now();
      else if (room && event.key === "v") void navigate({ to: "/rooms/$room", params: { room } });
      else if (room && event.key === "j") void navigate({ to: "/rooms/$room/jobs", params: { room } });
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [navigate, places, room, show]);
}
