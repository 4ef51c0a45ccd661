// Cancel and retry buttons of the job page.
import { Button } from "@mantine/core";
import { IconBrandPython, IconPlayerStop, IconRefresh } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import type { JobDetail } from "@/live/jobPatches";
import { useCancelJob, useRetryJob } from "@/live/queries";

export function JobButtons({ job, python }: { job: JobDetail; python: () => void }) {
  const cancel = useCancelJob();
  const retry = useRetryJob();
  const navigate = useNavigate();
  return (
    <>
      {job.room !== null && (
        <Button variant="default" leftSection={<IconBrandPython size={15} />} onClick={python}>
          As Python
        </Button>
      )}
      {job.finishedAt === null ? (
        <Button
          color="red"
          variant="light"
          leftSection={<IconPlayerStop size={15} />}
          disabled={job.cancelling}
          loading={cancel.isPending}
          onClick={() => cancel.mutate(job)}
        >
          {job.cancelling ? "Cancelling …" : "Cancel"}
        </Button>
      ) : (
        <Button
          leftSection={<IconRefresh size={15} />}
          loading={retry.isPending}
          onClick={() =>
            retry.mutate(job, {
              onSuccess: ({ jobId }) => jobId && void navigate({ to: "/jobs/$job", params: { job: jobId } }),
            })
          }
        >
          Run once more
        </Button>
      )}
    </>
  );
}
