// What became of a request to stop a job that does not check for it.
import { Text } from "@mantine/core";
import { useNow } from "@/lib/useNow";
import type { JobBrief } from "@/live/jobs/jobPatches";
import { cancelNote } from "./cancelNote";

export function CancelNote({ job, size = "xs" }: { job: JobBrief; size?: "xs" | "sm" }) {
  const now = useNow(job.cancelling ? 1_000 : 0);
  const note = cancelNote(job, now);
  return note ? (
    <Text size={size} c="dimmed" mt={4} role="status">
      {note}
    </Text>
  ) : null;
}
