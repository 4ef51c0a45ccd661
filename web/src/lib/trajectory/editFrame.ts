// Edits one frame of a trajectory: all that the edit does not touch keeps its bytes, and nothing that was written meanwhile is lost.
import { api } from "@/lib/api/client";
import { expectRevision, untilUndisturbed } from "@/lib/api/expectRevision";
import { type Frame, framesIn } from "@/lib/frames";
import { type FrameEdit, rewriteFrame } from "@/lib/frames/rewrite";

/** Replaces a frame by what `edit` makes of it, as one change of the room. `edit` throws if it does not apply to the frame. */
export function editFrame(room: string, index: number, edit: (frame: Frame) => FrameEdit): Promise<Frame> {
  return untilUndisturbed(async () => {
    const { data, response } = await api.GET("/api/rooms/{room}/frames", {
      params: { path: { room }, query: { indices: String(index) } },
      parseAs: "arrayBuffer",
    });
    const revision = Number(response.headers.get("Workroom-Revision"));
    const bytes = rewriteFrame(data!, edit(framesIn(data!)[0]!));
    await api.POST("/api/rooms/{room}/frames", {
      params: {
        path: { room },
        query: { action: "replace", index },
        header: expectRevision(revision),
      },
      // The OpenAPI document describes a binary body as a string; the serializer sends the bytes.
      body: "",
      bodySerializer: () => bytes,
      headers: { "Content-Type": "application/octet-stream" },
    });
    return framesIn(bytes.buffer)[0]!;
  });
}
