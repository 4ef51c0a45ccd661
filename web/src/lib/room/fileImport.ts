// Uploads of files. A job of the built-in extension `files/Open` converts each file to frames.
import { api, type Schemas } from "@/lib/api/client";

export const OPEN_JOB = { category: "files", name: "Open" } as const;
const POLL_MS = 300;

/** Returns the id of the job. */
export async function uploadFile(room: string, file: File): Promise<string> {
  const { data } = await api.POST("/api/rooms/{room}/files", {
    params: { path: { room }, query: { name: file.name } },
    // The OpenAPI document describes a binary body as a string; the serializer sends the file itself.
    body: "",
    bodySerializer: () => file,
    headers: { "Content-Type": "application/octet-stream" },
  });
  return data!.jobId!;
}

/** The job of an upload once it has ended, or as it is after so many milliseconds. */
export async function importJob(jobId: string, most: number): Promise<Schemas["JobDetail"]> {
  const end = Date.now() + most;
  for (;;) {
    const job = (await api.GET("/api/jobs/{id}", { params: { path: { id: jobId } } })).data!;
    if (job.finishedAt !== null || Date.now() > end) return job;
    await new Promise((next) => setTimeout(next, POLL_MS));
  }
}

/** Why a file could not be read, in one line; null unless its job failed. */
export function importError(job: Schemas["JobDetail"]): string | null {
  if (job.status === "cancelled") return "The job that reads it was cancelled.";
  if (job.status !== "failed") return null;
  return job.error?.message.split("\n")[0] || "The job that reads it failed.";
}
