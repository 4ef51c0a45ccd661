// Cancels or retries the marked jobs, or all jobs that match the filters, with one request after a confirmation.
import { ActionIcon, Alert, Button, Group, Loader, Menu, Modal, Stack, Text } from "@mantine/core";
import { IconChevronDown, IconPlayerStop, IconRefresh, IconX } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { plural } from "@/lib/format";
import { notify } from "@/lib/notifications";
import type { JobBrief } from "@/live/jobs/jobPatches";

type BulkAction = Pick<Schemas["BulkAction"], "action" | "jobIds" | "filter">;

const VERBS = { cancel: "Cancel", retry: "Retry" } as const;
const DONE = { cancel: "cancelled", retry: "queued again" } as const;

export function BulkActions({
  jobs,
  filter,
  done,
}: {
  jobs: JobBrief[];
  /** The filter that all shown jobs match. */
  filter: Schemas["JobFilter"];
  done: () => void;
}) {
  const [chosen, setChosen] = useState<BulkAction | null>(null);
  const open = jobs.filter((job) => job.finishedAt === null);
  const ended = jobs.filter((job) => job.finishedAt !== null);
  const choose = (action: BulkAction["action"], some: JobBrief[]) =>
    setChosen({ action, jobIds: some.map((job) => job.jobId) });
  return (
    <>
      {jobs.length > 0 && (
        <>
          <Text size="sm" c="dimmed">
            {plural(jobs.length, "job")} marked
          </Text>
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={14} />}
            disabled={!open.length}
            onClick={() => choose("cancel", open)}
          >
            Cancel {open.length || ""}
          </Button>
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} />}
            disabled={!ended.length}
            onClick={() => choose("retry", ended)}
          >
            Retry {ended.length || ""}
          </Button>
          <ActionIcon aria-label="Mark none" onClick={done}>
            <IconX size={15} />
          </ActionIcon>
        </>
      )}
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={14} />}>
            All that match
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconPlayerStop size={14} />}
            onClick={() => setChosen({ action: "cancel", filter })}
          >
            Cancel all that wait or run
          </Menu.Item>
          <Menu.Item
            leftSection={<IconRefresh size={14} />}
            onClick={() => setChosen({ action: "retry", filter })}
          >
            Retry all that ended
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {chosen && (
        <Confirmation
          chosen={chosen}
          close={(acted) => {
            setChosen(null);
            if (acted) done();
          }}
        />
      )}
    </>
  );
}

/** Asks the server how many jobs are meant, and acts on them once the user confirms. */
function Confirmation({ chosen, close }: { chosen: BulkAction; close: (acted: boolean) => void }) {
  const client = useQueryClient();
  const request = async (dryRun: boolean) =>
    (await api.POST("/api/jobs/bulk", { body: { ...chosen, dryRun } })).data!;
  const counted = useQuery({
    queryKey: queryKeys.bulkJobs(chosen),
    queryFn: () => request(true),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const act = useMutation({
    meta: { quiet: true },
    mutationFn: () => request(false),
    onSuccess: ({ done, refused }) => {
      const reasons = refused.map((one) => `${plural(one.count, "job")} refused: ${one.message}`);
      notify([`${plural(done, "job")} ${DONE[chosen.action]}.`, ...reasons].join(" "));
      void client.invalidateQueries({ queryKey: queryKeys.allJobs() });
      void client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] === "room" && queryKey[2] === "jobs",
      });
      close(true);
    },
  });
  const verb = VERBS[chosen.action];
  const error = counted.error ?? act.error;
  const matched = counted.data?.matched ?? 0;
  const refused = counted.data?.refused ?? [];
  return (
    <Modal opened onClose={() => close(false)} title={`${verb} jobs`} centered>
      <Stack gap="md">
        {counted.isPending && <Loader size="sm" role="status" aria-label="Counting" />}
        {counted.data && (
          <Text size="sm">
            {matched === 0 && `There is no job to ${chosen.action}.`}
            {matched > 0 &&
              (chosen.action === "cancel"
                ? `${plural(matched, "job")} will be cancelled. Jobs at a worker end when it confirms.`
                : `${plural(matched, "job")} will be submitted again, with the same arguments.`)}
          </Text>
        )}
        {refused.map((one) => (
          <Text key={one.message} size="sm" c="dimmed">
            Not {plural(one.count, "other job")}: {one.message}
          </Text>
        ))}
        {error && (
          <Alert color="red" p="xs" role="alert">
            {error.message}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => close(false)}>
            Back
          </Button>
          <Button
            color={chosen.action === "cancel" ? "red" : undefined}
            disabled={!matched}
            loading={act.isPending}
            onClick={() => act.mutate()}
          >
            {matched ? `${verb} ${plural(matched, "job")}` : verb}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
