// What the jobs panel lists below the queue.
import type { ListedJob } from "@/live/jobs/jobPatches";

export type PanelEntry =
  | { kind: "job"; job: ListedJob }
  | { kind: "posting"; posting: string; jobs: ListedJob[]; at: string };

/** Ended jobs and postings, the newest first; the jobs of a posting share one entry. */
export function endedEntries(jobs: readonly ListedJob[], most: number): PanelEntry[] {
  const postings = Map.groupBy(
    jobs.filter((job) => job.postingId !== null),
    (job) => job.postingId!,
  );
  const entries: { at: string; entry: PanelEntry }[] = jobs
    .filter((job) => job.postingId === null && job.finishedAt !== null)
    .map((job) => ({ at: job.createdAt, entry: { kind: "job", job } }));
  for (const [posting, some] of postings) {
    const at = some
      .map(({ createdAt }) => createdAt)
      .sort()
      .at(-1)!;
    entries.push({ at, entry: { kind: "posting", posting, jobs: some, at } });
  }
  return entries
    .sort((one, other) => other.at.localeCompare(one.at))
    .slice(0, most)
    .map(({ entry }) => entry);
}
