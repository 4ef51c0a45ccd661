// The card of the editing tool that is in use.
import { useEffect } from "react";
import type { Stage } from "../stage/stage";
import { DrawCard } from "./DrawCard";
import { setTool, useEditing } from "./editStore";
import { MoveCard } from "./MoveCard";

export function ActiveToolCard({ room, stage }: { room: string; stage: Stage }) {
  const tool = useEditing((now) => now.tool);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another room is entered without a tool
  useEffect(() => () => setTool(null), [room]);
  if (tool === "translate" || tool === "rotate") return <MoveCard room={room} stage={stage} mode={tool} />;
  if (tool === "draw") return <DrawCard room={room} stage={stage} />;
  return null;
}
