// Removes an extension that no worker offers any more.
import { Button, Group, Popover, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { api, type Schemas } from "@/lib/api/client";
import { plural } from "@/lib/format";
import { notify } from "@/lib/notifications";

export function RemoveButton({ room, extension }: { room: string; extension: Schemas["ExtensionInfo"] }) {
  const { category, name, scope, pendingJobs } = extension;
  const remove = useMutation({
    mutationFn: () =>
      api.DELETE("/api/rooms/{room}/extensions/{category}/{name}", {
        params: { path: { room, category, name }, query: { scope } },
      }),
    onSuccess: () => notify("The extension is removed.", name),
  });
  return (
    <Popover width={260} withArrow trapFocus>
      <Popover.Target>
        <Button mt={6} size="compact-xs" variant="default" style={{ display: "block" }}>
          Remove {name}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm">
          Its form disappears until a worker offers it again.
          {pendingJobs > 0 && ` ${plural(pendingJobs, "waiting job")} will be cancelled.`}
        </Text>
        <Group mt="xs" justify="flex-end">
          <Button size="compact-sm" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            Remove
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
