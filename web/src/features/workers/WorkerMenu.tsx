// What its user may do with a worker: drain it, or remove it at once.
import { ActionIcon, Button, Group, Menu, Modal, Text } from "@mantine/core";
import { IconDots, IconLogout2, IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { plural } from "@/lib/format";

type Worker = Schemas["WorkerInfo"];

export function WorkerMenu({ worker, name, mayDrain }: { worker: Worker; name: string; mayDrain: boolean }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const refetchWorkers = () => {
    void client.invalidateQueries({ queryKey: queryKeys.allWorkers });
    if (worker.room) void client.invalidateQueries({ queryKey: queryKeys.workers(worker.room) });
  };
  const drain = useMutation({
    mutationFn: () => api.POST("/api/workers/{id}/shutdown", { params: { path: { id: worker.id } } }),
    onSettled: refetchWorkers,
  });
  const remove = useMutation({
    mutationFn: () => api.DELETE("/api/workers/{id}", { params: { path: { id: worker.id } } }),
    onSettled: refetchWorkers,
  });
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <ActionIcon aria-label={`Actions for ${name}`} loading={drain.isPending || remove.isPending}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayDrain && (
            <Menu.Item
              leftSection={<IconLogout2 size={15} />}
              disabled={worker.state === "draining"}
              onClick={() => drain.mutate()}
            >
              Drain: finish its jobs, then stop
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconTrash size={15} />} color="red" onClick={() => setAsking(true)}>
            Remove now
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={asking} onClose={() => setAsking(false)} title={`Remove ${name}?`} centered size="sm">
        <Text size="sm">
          {worker.activeJobs
            ? `${plural(worker.activeJobs, "job")} of it will fail or return to the queue at once, as the policy of each says.`
            : "It has no jobs."}
        </Text>
        <Group justify="flex-end" mt="md" gap="xs">
          <Button variant="default" onClick={() => setAsking(false)}>
            Cancel
          </Button>
          <Button
            color="red"
            onClick={() => {
              setAsking(false);
              remove.mutate();
            }}
          >
            Remove
          </Button>
        </Group>
      </Modal>
    </>
  );
}
