// Cancels or retries all marked jobs.
import { ActionIcon, Button, Text } from "@mantine/core";
import { IconPlayerStop, IconRefresh, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { plural } from "@/lib/format";
import { notify, notifyError } from "@/lib/notifications";
import type { JobBrief } from "@/live/jobPatches";
import { useCancelJob, useRetryJob } from "@/live/queries";

/** What is done with all marked jobs at once. */
export function BulkActions({ jobs, done }: { jobs: JobBrief[]; done: () => void }) {
  const cancel = useCancelJob();
  const retry = useRetryJob();
  const [busy, setBusy] = useState(false);
  const open = jobs.filter((job) => job.finishedAt === null);
  const ended = jobs.filter((job) => job.finishedAt !== null);
  if (!jobs.length) return null;

  const each = async (some: JobBrief[], act: (job: JobBrief) => Promise<unknown>, what: string) => {
    setBusy(true);
    const results = await Promise.allSettled(some.map(act));
    setBusy(false);
    const failed = results.filter((one) => one.status === "rejected");
    if (failed.length) notifyError(failed[0]!.reason, `${failed.length} of ${some.length} did not work`);
    else notify(`${plural(some.length, "job")} ${what}.`);
    done();
  };

  return (
    <>
      <Text size="sm" c="dimmed">
        {plural(jobs.length, "job")} marked
      </Text>
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={14} />}
        disabled={!open.length || busy}
        onClick={() => each(open, (job) => cancel.mutateAsync(job), "cancelled")}
      >
        Cancel {open.length || ""}
      </Button>
      <Button
        variant="default"
        leftSection={<IconRefresh size={14} />}
        disabled={!ended.length || busy}
        onClick={() => each(ended, (job) => retry.mutateAsync(job), "queued once more")}
      >
        Retry {ended.length || ""}
      </Button>
      <ActionIcon aria-label="Mark none" onClick={done}>
        <IconX size={15} />
      </ActionIcon>
    </>
  );
}
