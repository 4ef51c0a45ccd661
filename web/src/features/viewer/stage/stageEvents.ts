// The events that the stage reports to the viewer panel.
import type { Structure } from "@/lib/atoms/structure";
import type { Legend } from "./appearance/atomAppearance";

export interface StageEvents {
  /** A structure is on the screen for the first time. */
  shown?(structure: Structure): void;
  /** The numbers that the colours stand for; null when atoms are coloured by element. */
  legend?(legend: Legend | null): void;
  /** The browser took the WebGL context away (true) or restored it (false). */
  lost?(lost: boolean): void;
}
