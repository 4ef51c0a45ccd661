// The viewer settings of this browser: the style for all rooms, and the look of the scene for each user and room.
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { AUTOMATIC_MAP } from "@/lib/atoms/colourmaps";
import { DEFAULT_LOOK, isLookField, type Look, lookOf } from "./stage/look";
import { DEFAULT_STYLE, type Style } from "./stage/style";

interface ViewerSettings {
  /** With the look of the room that is shown. */
  style: Style;
  /** By user and room; those that were changed last are behind the others. */
  looks: Readonly<Record<string, Look>>;
  /** The user and the room whose look the style has. */
  of: string | null;
  set: (part: Partial<Style>) => void;
  enter: (user: string, room: string) => void;
}

const STORAGE_KEY = "workroom.viewer";
const MOST_LOOKS = 100;

export const useViewerSettings = create<ViewerSettings>()(
  persist(
    (set) => ({
      style: DEFAULT_STYLE,
      looks: {},
      of: null,
      set: (part) =>
        set(({ style: before, looks, of }) => {
          const style = { ...before, ...part };
          const changed = of !== null && Object.keys(part).some(isLookField);
          return { style, looks: changed ? withLook(looks, of, lookOf(style)) : looks };
        }),
      enter: (user, room) =>
        set(({ style, looks }) => {
          const of = `${user} ${room}`;
          return { of, style: { ...style, ...DEFAULT_LOOK, ...looks[of] } };
        }),
    }),
    {
      name: STORAGE_KEY,
      version: 3,
      partialize: ({ style, looks }) => ({ style, looks }),
      // Version 1 had no automatic map: its "viridis" was the default, also for values of both signs.
      migrate: (stored, version) => {
        const { style } = stored as Partial<ViewerSettings>;
        const colourMap = version < 2 ? AUTOMATIC_MAP : (style?.colourMap ?? AUTOMATIC_MAP);
        return { style: { ...DEFAULT_STYLE, ...style, colourMap }, looks: {} } as unknown as ViewerSettings;
      },
      // Fields that are missing in the stored settings get their defaults.
      merge: (stored, now) => {
        const { style, looks } = (stored ?? {}) as Partial<ViewerSettings>;
        return { ...now, style: { ...DEFAULT_STYLE, ...style }, looks: looks ?? {} };
      },
    },
  ),
);

/** With the look as the last one; a look as it is without a choice needs no place. */
export function withLook(looks: ViewerSettings["looks"], of: string, look: Look): ViewerSettings["looks"] {
  const { [of]: _before, ...others } = looks;
  if (JSON.stringify(look) === JSON.stringify(DEFAULT_LOOK)) return others;
  return Object.fromEntries([...Object.entries(others).slice(1 - MOST_LOOKS), [of, look]]);
}

// Another tab of this browser may show another room: its look must not be lost when this tab stores its own.
globalThis.addEventListener?.("storage", ({ key, newValue }) => {
  if (key !== STORAGE_KEY || newValue === null) return;
  const { looks } = (JSON.parse(newValue) as { state: Partial<ViewerSettings> }).state;
  useViewerSettings.setState({ looks: looks ?? {} });
});
