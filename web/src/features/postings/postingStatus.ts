// The status of a posting in words.
import { count } from "@/lib/format";
import type { Posting } from "@/live/jobs/postingPatches";

/** For the server, a posting with one failed job has failed; people want to know how many of its jobs have. */
export function postingStatus({
  status,
  total,
  completed,
  failed,
}: Pick<Posting, "status" | "total" | "completed" | "failed">): string {
  if (status === "completed") return "finished";
  if (status !== "failed" || completed === 0) return status;
  const share = `${count(failed)} of ${count(total)} failed`;
  return completed > failed ? `finished, ${share}` : share;
}
