import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { notify, notifyError } from "@/lib/notifications";
import { roomNameFor, uploadFile } from "./queries";

/** Uploads files to a new room that is named after the first file. */
export function useFileUpload() {
  const [opening, setOpening] = useState(false);
  const navigate = useNavigate();
  const client = useQueryClient();

  async function open(files: File[]) {
    const [first] = files;
    if (!first) return;
    setOpening(true);
    try {
      const { data } = await api.GET("/api/rooms", { params: { query: { limit: 200 } } });
      const name = roomNameFor(first.name, new Set(data!.items.map((room) => room.name)));
      await api.POST("/api/rooms", {
        body: {
          name,
          description: `Opened from ${first.name}`,
          visibility: "public",
          extensionsFrom: "members",
        },
      });
      void client.invalidateQueries({ queryKey: queryKeys.rooms() });
      for (const file of files) await uploadFile(name, file);
      notify(`${files.map((file) => file.name).join(", ")} is being read.`, `Room ${name}`);
      await navigate({ to: "/rooms/$room", params: { room: name } });
    } catch (error) {
      notifyError(error, `${first.name} could not be opened`);
    } finally {
      setOpening(false);
    }
  }

  return { open, opening };
}
