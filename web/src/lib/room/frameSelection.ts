/** The selected frames of the room: the timeline marks them, playback can be limited to them, and extensions use them. */
import { api } from "@/lib/api/client";
import { notifyError } from "@/lib/notifications";

/** Null clears the selection. */
export function selectFrames(room: string, indices: number[] | null): void {
  api
    .PUT("/api/rooms/{room}/frame-selection", { params: { path: { room } }, body: { indices } })
    .catch((error) =>
      notifyError(
        error,
        indices ? "The frames were not selected" : "The selection of frames was not cleared",
      ),
    );
}
