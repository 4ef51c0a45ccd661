import { expect, test } from "vitest";
import { ALL_ITEMS } from "@/app/shell/navigation";
import { ROOM_PAGE_KEYS, shortcutGroups } from "@/app/shell/useShortcuts";
import { TIMELINE_KEYS } from "@/features/timeline/useTimelineKeys";
import { VIEWER_KEYS } from "@/features/viewer/toolbar/useViewerShortcuts";
import { VIEWER_SHORTCUTS } from "@/lib/room/viewerShortcuts";

/** Keys of single components: of the shell, forms, undo, and of the tool that draws. */
const ELSEWHERE = ["Ctrl K", "?", "Ctrl Enter", "Ctrl Z", "Ctrl Shift Z", "Backspace", "Enter"];
const WRITTEN: Readonly<Record<string, string>> = {
  " ": "Space",
  ArrowLeft: "←",
  ArrowRight: "→",
  escape: "Esc",
};
const written = (key: string) => WRITTEN[key] ?? (key.length === 1 ? key.toUpperCase() : key);

const listed = shortcutGroups().flatMap(({ shortcuts }) => shortcuts.map(({ keys }) => keys));
const viewerKeys = VIEWER_SHORTCUTS.flatMap(({ keys }) => keys.split(" "));
const sorted = (keys: Iterable<string>) => [...new Set(keys)].sort();

test("the sheet lists every key of the viewer, and no other", () => {
  expect(sorted(viewerKeys.filter((key) => !ELSEWHERE.includes(key)))).toEqual(
    sorted(Object.keys(VIEWER_KEYS).map(written)),
  );
});

test("the sheet lists every key of the timeline, the pages and the room, and no other", () => {
  const others = listed.filter((keys) => !VIEWER_SHORTCUTS.some((one) => one.keys === keys));
  const timeline = Object.keys(TIMELINE_KEYS).map(written);
  const pages = ALL_ITEMS.map(({ key }) => `g ${key}`);
  const shown = others.flatMap((keys) =>
    keys.startsWith("g ") || ELSEWHERE.includes(keys)
      ? [keys]
      : keys.split(" ").filter((key) => key !== "Shift"),
  );
  expect(sorted(shown)).toEqual(
    sorted([
      ...timeline,
      ...pages,
      ...Object.keys(ROOM_PAGE_KEYS),
      ...ELSEWHERE.filter((keys) => !viewerKeys.includes(keys)),
    ]),
  );
  expect(pages).toContain("g a");
});

test("no key of the viewer is one of the page", () => {
  const taken = ["g", "?", ...Object.keys(ROOM_PAGE_KEYS), ...Object.keys(TIMELINE_KEYS)];
  expect(Object.keys(VIEWER_KEYS).filter((key) => taken.includes(key))).toEqual([]);
});
