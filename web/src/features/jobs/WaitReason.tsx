import { Text } from "@mantine/core";
import { queuePosition, waitReason } from "@/lib/jobs/waitReason";
import { useJob } from "@/live/queries";

/** Why a job waits, and for how long: "3 jobs ahead · starts in about 12 s. All workers are busy." */
export function WaitReason({ jobId, lines = 2 }: { jobId: string; lines?: number }) {
  const { data } = useJob(jobId);
  if (!data) return null;
  const place = queuePosition(data);
  const reason = waitReason(data);
  if (!place && !reason) return null;
  return (
    <Text size="xs" c="dimmed" lineClamp={lines} data-testid="waiting">
      {[place && `${place}.`, reason].filter(Boolean).join(" ")}
    </Text>
  );
}
