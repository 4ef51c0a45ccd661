// The tool that edits the room in the viewer, and the points that are being drawn.
import { create } from "zustand";
import type { Point } from "../stage/layers/cylinders";
import type { ShapeKind } from "./pointGeometry";

export type EditTool = "translate" | "rotate" | "draw";

export interface Drawing {
  /** The geometry whose points are edited; null while a new one is drawn. */
  readonly key: string | null;
  /** The point at which the handles are. */
  readonly chosen: number | null;
  /** Of the new geometry, as all that follows. */
  readonly kind: ShapeKind;
  readonly points: readonly Point[];
  readonly smooth: boolean;
  readonly closed: boolean;
  /** What the user called it; null: the first free name. */
  readonly name: string | null;
}

interface Editing {
  tool: EditTool | null;
  drawing: Drawing;
}

const NOTHING_DRAWN: Drawing = {
  key: null,
  chosen: null,
  kind: "curve",
  points: [],
  smooth: true,
  closed: false,
  name: null,
};

export const useEditing = create<Editing>(() => ({ tool: null, drawing: NOTHING_DRAWN }));

/** Take a tool, or put it away if it is in use. */
export function toggleTool(tool: EditTool): void {
  setTool(useEditing.getState().tool === tool ? null : tool);
}

/** Points that were not finished are forgotten with the tool. */
export function setTool(tool: EditTool | null): void {
  useEditing.setState(({ drawing }) => ({ tool, drawing: tool === "draw" ? drawing : NOTHING_DRAWN }));
}

export function draw(change: Partial<Drawing>): void {
  useEditing.setState(({ drawing }) => ({ drawing: { ...drawing, ...change } }));
}

export function drawNew(): void {
  useEditing.setState({ drawing: NOTHING_DRAWN });
}

/** Forget the point that was placed last; false if there is none. */
export function undoPoint(): boolean {
  const { tool, drawing } = useEditing.getState();
  if (tool !== "draw" || drawing.key !== null || drawing.points.length === 0) return false;
  draw({ points: drawing.points.slice(0, -1), chosen: null });
  return true;
}
