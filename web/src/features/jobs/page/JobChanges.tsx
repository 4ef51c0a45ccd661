// The changes that a job made in its room, with a button that undoes them.
import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { RelativeTime } from "@/components/RelativeTime";
import { api } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { NewFramesLink } from "@/live/jobs/JobChangeLinks";
import { jobChanges } from "@/live/jobs/jobChanges";
import { useUndoJob } from "@/live/jobs/useUndoJob";
import { useWriteBlockedReason } from "@/live/room/writeBlockedReason";

const MAX_CHANGES = 50;

export function JobChanges({ room, jobId }: { room: string; jobId: string }) {
  const changes = useQuery({
    queryKey: [...queryKeys.changes(room), { jobId }],
    retry: false,
    queryFn: async ({ signal }) =>
      (
        await api.GET("/api/rooms/{room}/changes", {
          params: { path: { room }, query: { jobId, limit: MAX_CHANGES } },
          signal,
        })
      ).data!,
  });
  const undo = useUndoJob(room, jobId);
  const blocked = useWriteBlockedReason(room, "trajectory");
  const items = changes.data?.items ?? [];
  if (!items.length) return null;
  const open = items.filter((change) => change.undoneBy === null && change.undoOf === null);
  const frames = jobChanges(items, MAX_CHANGES).get(jobId)?.frames;
  return (
    <Paper className="surface" p="md" radius="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          What it changed
        </Title>
        <Group gap="sm">
          {frames && <NewFramesLink room={room} frames={frames} />}
          {blocked === null && (
            <Button
              variant="default"
              leftSection={<IconArrowBackUp size={15} />}
              disabled={!open.length}
              loading={undo.isPending}
              onClick={() => undo.mutate()}
            >
              Undo this job
            </Button>
          )}
        </Group>
      </Group>
      <Stack gap={4}>
        {items.map((change) => (
          <Group key={change.id} gap="sm" wrap="nowrap">
            <Text size="sm" td={change.undoneBy ? "line-through" : undefined} truncate>
              {change.label || change.act}
            </Text>
            <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
              <RelativeTime at={change.at} />
              {change.undoneBy && " · undone"}
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
