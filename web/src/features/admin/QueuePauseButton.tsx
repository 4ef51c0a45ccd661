// Pauses and resumes the queue of an extension or function.
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";

export function QueuePauseButton({ queue }: { queue: Schemas["Queue"] }) {
  const client = useQueryClient();
  const act = queue.paused ? "resume" : "pause";
  const change = useMutation({
    mutationFn: () =>
      api.POST("/api/admin/queues/{act}", {
        params: { path: { act } },
        body: { scope: queue.scope, room: queue.room, category: queue.category, name: queue.name },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin("queues") }),
  });
  const label = `${queue.paused ? "Resume" : "Pause"} ${queue.category}/${queue.name}`;
  const Icon = queue.paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Tooltip label={label}>
      <ActionIcon size="sm" aria-label={label} loading={change.isPending} onClick={() => change.mutate()}>
        <Icon size={14} />
      </ActionIcon>
    </Tooltip>
  );
}
