// Cancel and retry buttons of the job page.
import { Button } from "@mantine/core";
import { IconBrandPython, IconPencil, IconPlayerStop, IconRefresh } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { extensionPath } from "@/lib/jobs/extensionPath";
import { rememberForm } from "@/lib/jobs/formMemory";
import type { JobDetail } from "@/live/jobs/jobPatches";
import { useCancelJob, useRetryJob } from "@/live/queries";
import { retryLabel } from "../retryLabel";

export function JobButtons({
  job,
  python,
  input,
}: {
  job: JobDetail;
  python: () => void;
  /** What the form can be filled with; undefined when the extension has no form in the room. */
  input: unknown;
}) {
  const cancel = useCancelJob();
  const retry = useRetryJob();
  const navigate = useNavigate();
  const edit = (room: string) => {
    const { scope, category, name } = job;
    rememberForm({ room, scope, category, name }, input);
    void navigate({ to: "/rooms/$room", params: { room }, search: { ext: extensionPath(job) } });
  };
  return (
    <>
      {job.room !== null && (
        <Button variant="default" leftSection={<IconBrandPython size={15} />} onClick={python}>
          As Python
        </Button>
      )}
      {job.room !== null && input !== undefined && (
        <Button variant="default" leftSection={<IconPencil size={15} />} onClick={() => edit(job.room!)}>
          Edit and run
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
          {retryLabel(job)}
        </Button>
      )}
    </>
  );
}
