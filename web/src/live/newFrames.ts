import type { Schemas } from "@/lib/api/client";

type Change = Pick<Schemas["Change"], "jobId" | "undoOf" | "undoneBy" | "frames">;

export interface NewFrames {
  /** The position of the first one. */
  start: number;
  count: number;
}

/** The frames that each job added; changes that were undone, and those that only replaced frames, are left out. */
export function newFrames(changes: readonly Change[]): Map<string, NewFrames> {
  const found = new Map<string, NewFrames>();
  for (const { jobId, undoOf, undoneBy, frames } of changes) {
    if (jobId === null || undoOf !== null || undoneBy !== null || !frames) continue;
    const added = frames.added - frames.removed;
    if (added <= 0) continue;
    const before = found.get(jobId);
    found.set(jobId, {
      start: Math.min(before?.start ?? frames.start, frames.start),
      count: (before?.count ?? 0) + added,
    });
  }
  return found;
}
