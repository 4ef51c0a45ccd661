// Waits for the job that reads an uploaded file.
import { api, isNotFound, type Schemas } from "@/lib/api/client";
import type { JobBrief } from "@/lib/jobs/job";
import { getSocket } from "@/live/socket";

/** Events may be lost while the connection is interrupted. */
const FALLBACK_MS = 10_000;

/** The job once it has ended, or as it is after so many milliseconds; null if the server did not answer until then. */
export async function importJob(jobId: string, most: number): Promise<Schemas["JobDetail"] | null> {
  const socket = getSocket();
  const end = Date.now() + most;
  let wake: () => void = () => undefined;
  const hear = (event: JobBrief) => {
    if (event.jobId === jobId && event.finishedAt !== null) wake();
  };
  socket.on("job:state_changed", hear);
  try {
    for (;;) {
      // An event during the request counts, too.
      const heard = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const job = await readJob(jobId);
      const left = end - Date.now();
      if (left <= 0 || (job && job.finishedAt !== null)) return job;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, Math.min(left, FALLBACK_MS));
      await Promise.race([heard, promise]);
      clearTimeout(timer);
    }
  } finally {
    socket.off("job:state_changed", hear);
  }
}

/** Null while the server cannot answer; a job that is gone stays an error. */
async function readJob(jobId: string): Promise<Schemas["JobDetail"] | null> {
  try {
    return (await api.GET("/api/jobs/{id}", { params: { path: { id: jobId } } })).data!;
  } catch (error) {
    if (isNotFound(error)) throw error;
    return null;
  }
}
