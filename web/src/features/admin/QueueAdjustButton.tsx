// Changes the concurrency and the priority of a queue, and closes its breakers.
import { ActionIcon, Button, Group, NumberInput, Popover, Stack, Text, Tooltip } from "@mantine/core";
import { IconAdjustments } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { plural } from "@/lib/format";
import { notify } from "@/lib/notifications";

type Queue = Schemas["Queue"];

export function QueueAdjustButton({ queue }: { queue: Queue }) {
  const [opened, setOpened] = useState(false);
  const label = `Adjust ${queue.category}/${queue.name}`;
  return (
    <Popover opened={opened} onChange={setOpened} withArrow trapFocus position="left">
      <Popover.Target>
        <Tooltip label={label} disabled={opened}>
          <ActionIcon
            size="sm"
            aria-label={label}
            aria-expanded={opened}
            variant={queue.adjusted ? "light" : undefined}
            onClick={() => setOpened(!opened)}
          >
            <IconAdjustments size={14} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        {opened && <QueueForm queue={queue} close={() => setOpened(false)} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function QueueForm({ queue, close }: { queue: Queue; close: () => void }) {
  const client = useQueryClient();
  const [concurrency, setConcurrency] = useState<number | string>(queue.concurrency ?? "");
  const [priority, setPriority] = useState<number | string>(queue.priority);
  const name = { scope: queue.scope, room: queue.room, category: queue.category, name: queue.name };
  const renew = () => client.invalidateQueries({ queryKey: queryKeys.admin("queues") });
  const adjust = useMutation({
    mutationFn: (change: Partial<Schemas["QueueAdjustment"]>) =>
      api.PUT("/api/admin/queues", { body: { asRegistered: false, ...name, ...change } }),
    onSuccess: close,
    onSettled: renew,
  });
  const reset = useMutation({
    mutationFn: async () => (await api.POST("/api/admin/queues/breakers", { body: name })).data!,
    onSuccess: ({ workers }) => {
      notify(`The failures of ${plural(workers, "worker")} are forgotten.`);
      close();
    },
    onSettled: renew,
  });
  return (
    <Stack gap="xs" w={240}>
      <NumberInput
        size="xs"
        label="Jobs at once for each worker"
        description="Empty: as many as it has slots"
        min={1}
        max={10_000}
        allowDecimal={false}
        value={concurrency}
        onChange={setConcurrency}
      />
      <NumberInput
        size="xs"
        label="Priority of new jobs"
        description="0 to 10; 10 is most urgent"
        min={0}
        max={10}
        allowDecimal={false}
        value={priority}
        onChange={setPriority}
      />
      <Group gap="xs" justify="space-between">
        <Button
          size="xs"
          variant="subtle"
          disabled={!queue.adjusted}
          onClick={() => adjust.mutate({ asRegistered: true })}
        >
          As registered
        </Button>
        <Button
          size="xs"
          loading={adjust.isPending}
          disabled={priority === ""}
          onClick={() => adjust.mutate({ concurrency: Number(concurrency || 0), priority: Number(priority) })}
        >
          Save
        </Button>
      </Group>
      {queue.adjusted && (
        <Text size="xs" c="dimmed">
          Workers that register do not change these values. “As registered” lets the next one set them.
        </Text>
      )}
      <Button
        size="xs"
        variant="default"
        disabled={!queue.breakersOpen}
        loading={reset.isPending}
        onClick={() => reset.mutate()}
      >
        Close breakers
      </Button>
    </Stack>
  );
}
