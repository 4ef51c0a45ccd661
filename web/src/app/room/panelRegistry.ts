// Collects the panels, header items and footer strips that features register in `features/<name>/panel.ts`.
import { signInLink } from "@/lib/api/oneTimeCodeSignIn";
import type { PanelDefinition, RoomPanelDefinition, StripDefinition } from "@/lib/room/panelDefinition";

const modules = import.meta.glob<{ panels: RoomPanelDefinition[] }>("../../features/*/panel.ts", {
  eager: true,
});
const definitions = Object.values(modules).flatMap((module) => module.panels);

export const panels = definitions
  .filter((definition): definition is PanelDefinition => definition.kind === "panel")
  .sort((a, b) => a.order - b.order);

/** The panel that the address of the page asks for. */
export function requestedPanel(): string | null {
  const search = new URLSearchParams(location.search);
  if (search.has("frame")) return "viewer";
  if (search.has("ext")) return "extensions";
  const { panel } = signInLink;
  signInLink.panel = null;
  return panels.some(({ id }) => id === panel) ? panel : null;
}

export function strips(kind: StripDefinition["kind"]): StripDefinition[] {
  return definitions
    .filter((definition): definition is StripDefinition => definition.kind === kind)
    .sort((a, b) => a.order - b.order);
}
