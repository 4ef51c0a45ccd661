// Undoes everything that a job changed in its room.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { notify } from "@/lib/notifications";

export function useUndoJob(room: string, jobId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      api.POST("/api/rooms/{room}/changes/undo", { params: { path: { room } }, body: { jobId } }),
    onSuccess: () => {
      notify("What this job did is undone.");
      void client.invalidateQueries({ queryKey: queryKeys.changes(room) });
      void client.invalidateQueries({ queryKey: queryKeys.jobChanges(room) });
    },
  });
}
