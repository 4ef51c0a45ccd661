import { Text } from "@mantine/core";
import type { ListedJob } from "@/lib/jobs/job";

/** The first line of a failed job's error, or the result of a finished one. */
export function JobOutcome({ job, lines = 2 }: { job: ListedJob; lines?: number }) {
  const text = job.status === "failed" ? job.errorText : job.status === "completed" ? job.resultText : null;
  if (!text) return null;
  return (
    <Text
      size="xs"
      truncate={lines === 1}
      lineClamp={lines === 1 ? undefined : lines}
      title={text}
      c={job.status === "failed" ? "var(--wr-wrong)" : undefined}
      style={lines === 1 ? undefined : { overflowWrap: "anywhere" }}
      data-testid="outcome"
    >
      {text}
    </Text>
  );
}
