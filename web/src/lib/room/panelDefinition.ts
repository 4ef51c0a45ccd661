// What a feature may add to a room's page. A feature exports `pieces` from its `panel.ts`, and the room page finds it:
// nothing else has to be edited. `load` keeps the feature out of the first download.
import type { Icon } from "@tabler/icons-react";
import type { ComponentType } from "react";

export interface RoomPanelProps {
  room: string;
}

type Load = () => Promise<{ default: ComponentType<RoomPanelProps> }>;

export interface PanelDefinition {
  kind: "panel";
  id: string;
  title: string;
  icon: Icon;
  /** Where it stands at first: the middle, the left or right column, or below the middle. */
  place: "center" | "left" | "right" | "bottom";
  /** Panels of one place are tabs in this order; the first one is in front. */
  order: number;
  /** Whether it is part of a fresh layout; the others are opened from the panel menu. */
  open: boolean;
  load: Load;
}

/** A small thing in the room's header (who is here, locks), or a strip below all panels (the timeline). */
export interface StripDefinition {
  kind: "header" | "footer";
  id: string;
  order: number;
  load: Load;
}

export type RoomPanelDefinition = PanelDefinition | StripDefinition;
