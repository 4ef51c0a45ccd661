// What a job changed in its room, and taking it back.
import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RelativeTime } from "@/components/RelativeTime";
import { callJson, roomPath } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { notify } from "@/lib/notifications";

interface Change {
  id: string;
  act: string;
  label: string;
  at: string;
  undoOf: string | null;
  undoneBy: string | null;
}

export function JobChanges({ room, jobId }: { room: string; jobId: string }) {
  const client = useQueryClient();
  const changes = useQuery({
    queryKey: [...queryKeys.changes(room), { jobId }],
    retry: false,
    queryFn: ({ signal }) =>
      callJson<{ items: Change[] }>("GET", roomPath(room, "changes"), {
        query: { jobId, limit: 50 },
        signal,
      }),
  });
  const undo = useMutation({
    mutationFn: () => callJson("POST", roomPath(room, "changes", "undo"), { body: { jobId } }),
    onSuccess: () => {
      notify("What this job did is undone.");
      void client.invalidateQueries({ queryKey: queryKeys.changes(room) });
    },
  });
  const items = changes.data?.items ?? [];
  if (!items.length) return null;
  const open = items.filter((change) => change.undoneBy === null && change.undoOf === null);
  return (
    <Paper className="surface" p="md" radius="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          What it changed
        </Title>
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={15} />}
          disabled={!open.length}
          loading={undo.isPending}
          onClick={() => undo.mutate()}
        >
          Undo this job
        </Button>
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
