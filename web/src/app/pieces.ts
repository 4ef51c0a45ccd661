// Finds what features add to a room's page: every `features/<name>/panel.ts`.
import type { PanelPiece, RoomPiece, StripPiece } from "@/lib/panels";

const found = import.meta.glob<{ pieces: RoomPiece[] }>("../features/*/panel.ts", { eager: true });
const all = Object.values(found).flatMap(({ pieces }) => pieces);

export const panels = all
  .filter((piece): piece is PanelPiece => piece.kind === "panel")
  .sort((a, b) => a.order - b.order);

export function strips(kind: StripPiece["kind"]): StripPiece[] {
  return all.filter((piece): piece is StripPiece => piece.kind === kind).sort((a, b) => a.order - b.order);
}
