// Adds files to the room that the page shows.
import { useState } from "react";
import { notify, notifyError } from "@/lib/notifications";
import { importError, uploadFile } from "@/lib/room/fileImport";
import { useRoomInfo } from "@/live/queries";
import { importJob } from "./importJob";

const LONGEST_IMPORT_MS = 3_600_000;

export function useAddFiles(room: string) {
  const info = useRoomInfo(room);
  const [adding, setAdding] = useState(false);
  const readOnly = info.data?.rights === "read";

  async function add(files: File[]) {
    if (readOnly) return notifyError(new Error("You can only read this room."), "The file was not added");
    setAdding(true);
    const uploads = files.map(async (file) => {
      try {
        const jobId = await uploadFile(room, file);
        notify(`${file.name} is being read.`);
        return { file, jobId };
      } catch (error) {
        notifyError(error, `${file.name} was not added`);
        return null;
      }
    });
    const accepted = (await Promise.all(uploads)).filter((one) => one !== null);
    setAdding(false);
    for (const { file, jobId } of accepted) void tellFailure(file, jobId);
  }

  return { add, adding, readOnly };
}

async function tellFailure(file: File, jobId: string) {
  const job = await importJob(jobId, LONGEST_IMPORT_MS).catch(() => null);
  if (!job?.finishedAt) return notify(`Whether ${file.name} was read is not known: see its job.`);
  const error = importError(job);
  if (error) notifyError(new Error(error), `${file.name} could not be read`);
}
