// What the viewer shows in a room without frames: what became of the last file, and how to add one.
import { Alert, Center, Loader, Stack, Text } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { AddFileButton } from "@/components/AddFileButton";
import { AnchorLink } from "@/components/RouterLinks";
import { importError, OPEN_JOB } from "@/lib/room/fileImport";
import { useJob, useJobs } from "@/live/queries";
import { useAddFiles } from "@/live/room/addFiles";

export function EmptyViewer({ room }: { room: string }) {
  const { add, adding, readOnly } = useAddFiles(room);
  return (
    <Center className="wr-viewer-notice">
      <Stack gap={8} align="center" maw={460} ta="center">
        <LastImport room={room} />
        <Text fw={600}>No structures yet</Text>
        {readOnly ? (
          <Text size="sm" c="dimmed">
            You can only read this room. Frames that others add appear here.
          </Text>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              Drop a file onto this page, run a modifier, or add frames from Python:
            </Text>
            <code className="wr-viewer-code">Room("{room}").extend(ase.io.read("file.xyz", ":"))</code>
            <AddFileButton label="Choose a file" busy={adding} onFiles={add} className="wr-viewer-action" />
          </>
        )}
      </Stack>
    </Center>
  );
}

/** The last file that was added: whether it is being read, or why it could not be read. */
function LastImport({ room }: { room: string }) {
  const jobs = useJobs({ room }, OPEN_JOB, 1);
  const last = jobs.data?.pages[0]?.items[0];
  const detail = useJob(last?.jobId ?? "", last !== undefined);
  const job = detail.data;
  if (!last || !job) return null;
  const name = (job.data as { name?: string } | null)?.name ?? "The file";
  const error = importError(job);
  if (error)
    return (
      <Alert
        color="red"
        icon={<IconAlertCircle size={18} />}
        title={`${name} could not be read`}
        ta="left"
        className="wr-viewer-action"
      >
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {error}
        </Text>
        <AnchorLink to="/jobs/$job" params={{ job: job.jobId }} size="sm">
          Open the job
        </AnchorLink>
      </Alert>
    );
  if (job.finishedAt !== null) return null;
  return (
    <Stack gap={6} align="center" role="status">
      <Loader size="sm" />
      <Text size="sm">{name} is being read …</Text>
    </Stack>
  );
}
