import { ActionIcon, Tooltip } from "@mantine/core";
import { IconPlayerStop, IconRefresh } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { notify } from "@/lib/notifications";
import type { JobBrief } from "@/live/jobs/jobPatches";
import { useCancelJob, useRetryJob } from "@/live/queries";
import { retryLabel } from "./retryLabel";

/** Buttons that cancel or retry a job. */
export function JobRowButtons({ job, follow = false }: { job: JobBrief; follow?: boolean }) {
  const cancel = useCancelJob();
  const retry = useRetryJob();
  const navigate = useNavigate();
  if (job.finishedAt === null)
    return (
      <Tooltip label={job.cancelling ? "Cancellation was requested" : "Cancel"}>
        <ActionIcon
          aria-label={`Cancel ${job.name}`}
          size="sm"
          disabled={job.cancelling}
          loading={cancel.isPending}
          onClick={(event) => {
            event.stopPropagation();
            event.preventDefault();
            cancel.mutate(job);
          }}
        >
          <IconPlayerStop size={15} />
        </ActionIcon>
      </Tooltip>
    );
  return (
    <Tooltip label={retryLabel(job)}>
      <ActionIcon
        aria-label={`${retryLabel(job)} ${job.name}`}
        size="sm"
        loading={retry.isPending}
        onClick={(event) => {
          event.stopPropagation();
          event.preventDefault();
          retry.mutate(job, {
            onSuccess: (accepted) => {
              if (follow && accepted.jobId)
                void navigate({ to: "/jobs/$job", params: { job: accepted.jobId } });
              else notify(`${job.name} is queued.`);
            },
          });
        }}
      >
        <IconRefresh size={15} />
      </ActionIcon>
    </Tooltip>
  );
}
