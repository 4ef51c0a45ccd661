import type { Schemas } from "@/lib/api/client";

type Change = Pick<Schemas["Change"], "jobId" | "undoOf" | "undoneBy" | "frames">;

export interface NewFrames {
  /** The position of the last one. */
  last: number;
  count: number;
  /** There may be more: the list of changes ends within those of the job. */
  more: boolean;
}

/**
 * The frames that each job added, by the latest changes of a room, newest first. Changes that were undone, and those that only
 * replaced frames, are left out.
 */
export function newFrames(changes: readonly Change[], limit: number): Map<string, NewFrames> {
  const found = new Map<string, NewFrames>();
  for (const { jobId, undoOf, undoneBy, frames } of changes) {
    if (jobId === null || undoOf !== null || undoneBy !== null || !frames) continue;
    const added = frames.added - frames.removed;
    if (added <= 0) continue;
    const before = found.get(jobId);
    found.set(jobId, {
      last: Math.max(before?.last ?? 0, frames.start + frames.added - 1),
      count: (before?.count ?? 0) + added,
      more: false,
    });
  }
  const oldest = changes.length >= limit ? found.get(changes.at(-1)?.jobId ?? "") : undefined;
  if (oldest) oldest.more = true;
  return found;
}
