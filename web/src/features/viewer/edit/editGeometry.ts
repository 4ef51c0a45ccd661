// Edits one geometry of the room as one change.
import { api } from "@/lib/api/client";
import { expectRevision, untilUndisturbed } from "@/lib/api/expectRevision";
import type { Geometry } from "../scene/splitGeometries";

/**
 * Replaces a geometry by what `edit` makes of it; null stands for none. `edit` throws if it does not apply to what the room has now.
 * Returns the geometries of the room after the edit.
 */
export function editGeometry(
  room: string,
  key: string,
  edit: (now: Geometry | null) => Geometry | null,
): Promise<Record<string, Geometry>> {
  return untilUndisturbed(async () => {
    // The revision is read first: what is written after it is in conflict with the write below.
    const { revision } = (await api.GET("/api/rooms/{room}/state", { params: { path: { room } } })).data!;
    const { geometries } = (await api.GET("/api/rooms/{room}/geometries", { params: { path: { room } } }))
      .data!;
    const { [key]: now = null, ...others } = geometries;
    const edited = edit(now);
    const params = { path: { room, key }, header: expectRevision(revision) };
    if (edited) await api.PUT("/api/rooms/{room}/geometries/{key}", { params, body: edited });
    else await api.DELETE("/api/rooms/{room}/geometries/{key}", { params });
    return edited ? { ...others, [key]: edited } : others;
  });
}
