// Files for the fields of extensions: what a field accepts, and the upload.
import { api, type Schemas } from "@/lib/api/client";

export type InputFile = Schemas["InputFile"];

export interface FileLimits {
  suffixes: string[];
  maxBytes?: number;
}

/** Why a field does not accept a file; null if it does. */
export function fileRefusal({ name, size }: { name: string; size: number }, limits: FileLimits) {
  const { suffixes, maxBytes } = limits;
  if (size === 0) return `${name} is empty.`;
  if (suffixes.length && !suffixes.some((suffix) => name.toLowerCase().endsWith(suffix.toLowerCase())))
    return `${name} is not accepted: choose a file whose name ends with ${suffixes.join(" or ")}.`;
  if (maxBytes !== undefined && size > maxBytes)
    return `${name} takes ${size.toLocaleString("en")} bytes: choose a file of at most ${maxBytes.toLocaleString("en")} bytes.`;
  return null;
}

/** Returns the value of the field. */
export async function uploadInput(room: string, file: File): Promise<InputFile> {
  const { data } = await api.POST("/api/rooms/{room}/inputs", {
    params: { path: { room }, query: { name: file.name } },
    // The OpenAPI document describes a binary body as a string; the serializer sends the file itself.
    body: "",
    bodySerializer: () => file,
    headers: { "Content-Type": "application/octet-stream" },
  });
  return data!;
}
