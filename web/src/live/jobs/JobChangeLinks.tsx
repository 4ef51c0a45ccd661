// What a job changed in its room: a link to the last frame that it added, and undo for users who may write.
import { Anchor, Group } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import { AnchorLink } from "@/components/RouterLinks";
import { plural } from "@/lib/format";
import type { JobBrief } from "@/lib/jobs/job";
import type { JobChange, NewFrames } from "@/live/jobs/jobChanges";
import { useUndoJob } from "@/live/jobs/useUndoJob";
import { useWriteBlockedReason } from "@/live/room/writeBlockedReason";

interface Props {
  room: string;
  job: Pick<JobBrief, "jobId" | "name" | "finishedAt">;
  /** Undefined if the job changed nothing, or all that it changed was undone. */
  change: JobChange | undefined;
}

export function JobChangeLinks({ room, job, change }: Props) {
  // A running job may make more changes.
  if (!change || job.finishedAt === null) return null;
  return (
    <Group gap="sm">
      {change.frames && <NewFramesLink room={room} frames={change.frames} />}
      <UndoJob room={room} job={job} />
    </Group>
  );
}

/** The page of the room shows the frame and takes it out of its address: see `useAddressedFrame`. */
export function NewFramesLink({ room, frames }: { room: string; frames: NewFrames }) {
  // On the page of the room the open form stays open.
  const here = useSearch({ from: "/in/rooms/$room/", shouldThrow: false });
  return (
    <AnchorLink
      to="/rooms/$room"
      params={{ room }}
      search={{ ext: here?.ext, frame: frames.last }}
      preload={false}
      size="xs"
    >
      {frames.more && "more than "}
      {plural(frames.count, "new frame")}, show {frames.count === 1 ? "it" : "the last"}
    </AnchorLink>
  );
}

function UndoJob({ room, job }: Pick<Props, "room" | "job">) {
  const undo = useUndoJob(room, job.jobId);
  if (useWriteBlockedReason(room, "trajectory") !== null) return null;
  return (
    <Anchor
      component="button"
      type="button"
      size="xs"
      aria-label={`Undo what ${job.name} did`}
      disabled={undo.isPending}
      onClick={() => undo.mutate()}
    >
      undo
    </Anchor>
  );
}
