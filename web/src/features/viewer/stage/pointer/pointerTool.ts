// A tool of the stage that takes the pointer before the camera and the selection do. Places on the screen are −1 to 1 each way.
import type { Place } from "./pointerInput";

export interface PointerTool {
  /** Whether the pointer is over something that it can drag. */
  hover(x: number, y: number): boolean;
  /** Begin to drag what is at this place; false if there is nothing. */
  down(x: number, y: number): boolean;
  drag(x: number, y: number): void;
  drop(): void;
  /** Put back what is being dragged; false if nothing is. */
  cancel(): boolean;
  /** A click beside what can be dragged, in pixels of the stage, on the atom that is drawn at `atom`; true if it was taken. */
  click?(at: Place, atom: readonly [number, number, number] | null): boolean;
}
