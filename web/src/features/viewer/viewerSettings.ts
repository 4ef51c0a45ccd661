// The viewer settings of this browser: the style for all rooms; the look of the scene and what is shown of the data for each user
// and room.
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { AUTOMATIC_MAP } from "@/lib/atoms/colourmaps";
import { DEFAULT_LOOK, type Look } from "./stage/appearance/sceneLook";
import { DEFAULT_SHOWN_DATA, DEFAULT_STYLE, type ShownData, type Style } from "./stage/appearance/style";

/** What a user has chosen in one room. */
type RoomView = Look & ShownData;

const DEFAULT_VIEW: RoomView = { ...DEFAULT_LOOK, ...DEFAULT_SHOWN_DATA };

type Views = Readonly<Record<string, Partial<RoomView>>>;

interface ViewerSettings {
  /** With the view of the room that is shown. */
  style: Style;
  /** By user and room; those that were changed last are behind the others. Choices that are as by default are not in them. */
  views: Views;
  /** The user and the room whose view the style has. */
  of: string | null;
  set: (part: Partial<Style>) => void;
  enter: (user: string, room: string) => void;
}

const STORAGE_KEY = "workroom.viewer";
const MOST_VIEWS = 100;

export const useViewerSettings = create<ViewerSettings>()(
  persist(
    (set) => ({
      style: DEFAULT_STYLE,
      views: {},
      of: null,
      set: (part) =>
        set(({ style: before, views, of }) => {
          const style = { ...before, ...part };
          const changed = of !== null && Object.keys(part).some((field) => field in DEFAULT_VIEW);
          return { style, views: changed ? withView(views, of, style) : views };
        }),
      enter: (user, room) =>
        set(({ style, views }) => {
          const of = `${user} ${room}`;
          return { of, style: { ...style, ...DEFAULT_VIEW, ...views[of] } };
        }),
    }),
    {
      name: STORAGE_KEY,
      version: 4,
      partialize: ({ style, views }) => ({ style, views }),
      // Version 1 had no automatic map: its "viridis" was the default, also for values of both signs. Until version 3 rooms had
      // only a look of their own.
      migrate: (stored, version) => {
        const { style, looks } = stored as { style?: Partial<Style>; looks?: Views };
        const colourMap = version < 2 ? AUTOMATIC_MAP : (style?.colourMap ?? AUTOMATIC_MAP);
        return { style: { ...DEFAULT_STYLE, ...style, colourMap }, views: looks ?? {} } as ViewerSettings;
      },
      // Fields that are missing in the stored settings get their defaults.
      merge: (stored, now) => {
        const { style, views } = (stored ?? {}) as Partial<ViewerSettings>;
        return { ...now, style: { ...DEFAULT_STYLE, ...style }, views: views ?? {} };
      },
    },
  ),
);

/** With the view as the last one; a view without a choice needs no place. */
export function withView(views: Views, of: string, style: RoomView): Views {
  const { [of]: _before, ...others } = views;
  const fields = Object.keys(DEFAULT_VIEW) as (keyof RoomView)[];
  const chosen = fields.filter(
    (field) => JSON.stringify(style[field]) !== JSON.stringify(DEFAULT_VIEW[field]),
  );
  if (chosen.length === 0) return others;
  const view = Object.fromEntries(chosen.map((field) => [field, style[field]]));
  return Object.fromEntries([...Object.entries(others).slice(1 - MOST_VIEWS), [of, view]]);
}

// Another tab of this browser may show another room: its view must not be lost when this tab stores its own.
globalThis.addEventListener?.("storage", ({ key, newValue }) => {
  if (key !== STORAGE_KEY || newValue === null) return;
  const { views } = (JSON.parse(newValue) as { state: Partial<ViewerSettings> }).state;
  useViewerSettings.setState({ views: views ?? {} });
});
