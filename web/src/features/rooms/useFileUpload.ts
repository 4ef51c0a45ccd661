import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, Problem } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { notifyError } from "@/lib/notifications";
import { importError, uploadFile } from "@/lib/room/fileImport";
import { importJob } from "@/live/room/importJob";
import { roomNameFor } from "./queries";

/** How long the page waits for the files; then the room itself says what becomes of them. */
const PATIENCE_MS = 10_000;
/** Names that are tried after a refusal. */
const MOST_NAMES = 20;

/** Opens files in a new room that is named after the first file. If none can be read, the room is deleted again. */
export function useFileUpload() {
  const [opening, setOpening] = useState(false);
  const navigate = useNavigate();
  const client = useQueryClient();

  async function open(files: File[]) {
    const [first] = files;
    if (!first) return;
    setOpening(true);
    let made: string | null = null;
    try {
      const room = await makeRoomFor(first.name);
      made = room;
      if (!(await read(room, files))) return;
      made = null;
      await navigate({ to: "/rooms/$room", params: { room } });
    } catch (error) {
      notifyError(error, `${first.name} could not be opened`);
    } finally {
      if (made !== null) await deleteIfEmpty(made);
      void client.invalidateQueries({ queryKey: queryKeys.rooms() });
      setOpening(false);
    }
  }

  return { open, opening };
}

/** Makes a room with the first free name. A private room of others may have a name that no list shows. */
async function makeRoomFor(file: string): Promise<string> {
  const query = { q: roomNameFor(file, new Set()), limit: 200 };
  const { data } = await api.GET("/api/rooms", { params: { query } });
  const taken = new Set(data!.items.map((room) => room.name));
  for (let left = MOST_NAMES; ; left -= 1) {
    const name = roomNameFor(file, taken);
    try {
      await api.POST("/api/rooms", {
        body: { name, description: `Opened from ${file}`, visibility: "public", extensionsFrom: "members" },
      });
      return name;
    } catch (error) {
      if (!(error instanceof Problem && error.code === "name_taken") || left === 0) throw error;
      taken.add(name);
    }
  }
}

/** Whether at least one of the files was read, or still is. */
async function read(room: string, files: File[]): Promise<boolean> {
  const jobs = [];
  for (const file of files) jobs.push(await uploadFile(room, file));
  const ended = await Promise.all(jobs.map((id) => importJob(id, PATIENCE_MS)));
  const errors = ended.map(importError);
  for (const [at, error] of errors.entries())
    if (error !== null) notifyError(new Error(error), `${files[at]!.name} could not be read`);
  return errors.some((error) => error === null);
}

async function deleteIfEmpty(room: string): Promise<void> {
  try {
    const { data } = await api.GET("/api/rooms/{room}/state", { params: { path: { room } } });
    if (data!.revision === 0) await api.DELETE("/api/rooms/{room}", { params: { path: { room } } });
  } catch {
    // The error that made the room useless is shown; the room can be deleted in its settings.
  }
}
