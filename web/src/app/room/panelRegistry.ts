// Collects the panels, header items and footer strips that features register in `features/<name>/panel.ts`.
import type { PanelDefinition, RoomPanelDefinition, StripDefinition } from "@/lib/room/panelDefinition";

const modules = import.meta.glob<{ panels: RoomPanelDefinition[] }>("../../features/*/panel.ts", {
  eager: true,
});
const definitions = Object.values(modules).flatMap((module) => module.panels);

export const panels = definitions
  .filter((definition): definition is PanelDefinition => definition.kind === "panel")
  .sort((a, b) => a.order - b.order);

export function strips(kind: StripDefinition["kind"]): StripDefinition[] {
  return definitions
    .filter((definition): definition is StripDefinition => definition.kind === kind)
    .sort((a, b) => a.order - b.order);
}
