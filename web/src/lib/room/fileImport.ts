// Uploads of files. A job of the built-in extension `files/Open` converts each file to frames.
import { api, type Schemas } from "@/lib/api/client";

export const OPEN_JOB = { category: "files", name: "Open" } as const;

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

/** Why a file could not be read, in one line; null unless its job is known to have failed. */
export function importError(job: Schemas["JobDetail"] | null): string | null {
  if (job === null) return null;
  if (job.status === "cancelled") return "The job that reads it was cancelled.";
  if (job.status !== "failed") return null;
  return job.error?.message.split("\n")[0] || "The job that reads it failed.";
}
