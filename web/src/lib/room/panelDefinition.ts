// What a feature adds to the room page. A feature exports `panels` from its `panel.ts`; the panel registry finds the file.
// `load` imports the component lazily, so that it is not part of the first download.
import type { Icon } from "@tabler/icons-react";
import type { ComponentType } from "react";

/** Screens on which the room page shows one panel at a time; style sheets repeat it. */
export const NARROW_SCREEN = "(max-width: 899px)";

export interface RoomPanelProps {
  room: string;
}

type Load = () => Promise<{ default: ComponentType<RoomPanelProps> }>;

export interface PanelDefinition {
  kind: "panel";
  id: string;
  title: string;
  icon: Icon;
  /** Initial position: centre, left or right column, or below the centre. */
  place: "center" | "left" | "right" | "bottom";
  /** Panels of one place are tabs in this order; the first is in front. */
  order: number;
  /** Whether the default layout shows it; the panel menu opens the others. */
  open: boolean;
  /** A hook: how many new entries the panel has that this user has not seen. */
  useUnread?: (room: string) => number;
  load: Load;
}

/** An item of the room's header (presence, locks) or a strip below all panels (timeline). */
export interface StripDefinition {
  kind: "header" | "footer";
  id: string;
  order: number;
  load: Load;
}

export type RoomPanelDefinition = PanelDefinition | StripDefinition;
