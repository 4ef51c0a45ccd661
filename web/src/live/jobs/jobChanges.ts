import type { Schemas } from "@/lib/api/client";

type Change = Pick<Schemas["Change"], "jobId" | "undoOf" | "undoneBy" | "frames">;

export interface NewFrames {
  /** Where the last one that is still in the trajectory is now. */
  last: number;
  count: number;
  /** There may be more: the list of changes ends within those of the job. */
  more: boolean;
}

/** What a job changed in its room, and what was not undone. */
export interface JobChange {
  /** The frames that it added; none if it only replaced or removed frames, changed something else, or they are gone. */
  frames?: NewFrames;
}

/** What each job changed, by the latest changes of a room, newest first. Changes that were undone are left out. */
export function jobChanges(changes: readonly Change[], limit: number): Map<string, JobChange> {
  const found = new Map<string, JobChange>();
  for (const { jobId, undoOf, undoneBy, frames } of changes) {
    if (jobId === null || undoOf !== null || undoneBy !== null) continue;
    const before = found.get(jobId);
    const added = frames ? frames.added - frames.removed : 0;
    if (!frames || added <= 0 || frames.lastNow === null) {
      found.set(jobId, before ?? {});
      continue;
    }
    found.set(jobId, {
      frames: {
        last: Math.max(before?.frames?.last ?? 0, frames.lastNow),
        count: (before?.frames?.count ?? 0) + added,
        more: false,
      },
    });
  }
  const oldest = changes.length >= limit ? found.get(changes.at(-1)?.jobId ?? "")?.frames : undefined;
  if (oldest) oldest.more = true;
  return found;
}
