// The workers of a room, or all workers that the user may see.
import { Badge, Box, Group, Loader, Paper, SimpleGrid, Stack, Text, Tooltip } from "@mantine/core";
import { IconServer2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Sparkline } from "@/components/charts/Sparkline";
import { EmptyState } from "@/components/EmptyState";
import { ErrorAlert } from "@/components/ErrorBoundary";
import { StateDot } from "@/components/jobs/StateBadge";
import { Page } from "@/components/Page";
import { RelativeTime } from "@/components/RelativeTime";
import { api, type Schemas } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import { useSession } from "@/lib/api/session";
import { count, duration, plural, rate } from "@/lib/format";
import { serverUrl } from "@/lib/rootPath";
import { useRoomInfo, useWorkers } from "@/live/queries";
import { WorkerMenu } from "./WorkerMenu";

type Worker = Schemas["WorkerInfo"];

const STATES: Record<string, { label: string; colour: string; about: string }> = {
  idle: { label: "idle", colour: "completed", about: "Online, with a free slot" },
  busy: { label: "busy", colour: "running", about: "Online, working" },
  draining: { label: "draining", colour: "assigned", about: "Finishes its jobs and receives no new ones" },
  offline: { label: "disconnected", colour: "pending", about: "Not connected; it may reconnect" },
  gone: { label: "gone", colour: "cancelled", about: "Deregistered" },
};
const RANK = Object.keys(STATES);
/** About the interval in which workers report their load. */
const REFETCH_MS = 10_000;

export default function WorkersPage() {
  const { room } = useParams({ strict: false });
  const workers = useWorkers(room ?? null, REFETCH_MS);
  const admin = useSession((session) => session.user?.role === "admin");
  const owned = useRoomInfo(room ?? "", room !== undefined).data?.rights === "own";
  const sorted = (workers.data ?? []).toSorted(
    (a, b) => RANK.indexOf(a.state) - RANK.indexOf(b.state) || a.registeredAt.localeCompare(b.registeredAt),
  );
  const here = sorted.filter((worker) => worker.state !== "gone");
  const online = here.filter((worker) => worker.state !== "offline").length;
  const perMinute = here.reduce((sum, worker) => sum + worker.throughput.perMinute, 0);
  const where = room ?? "my-room";
  return (
    <Page
      title={room ? `Workers of ${room}` : admin ? "All workers" : "Your workers"}
      subtitle={
        workers.data
          ? `${online} online, ${here.length - online} disconnected${perMinute ? ` · ${rate(perMinute)} jobs/min` : ""}`
          : " "
      }
    >
      {workers.isLoadingError && <ErrorAlert error={workers.error} onRetry={() => workers.refetch()} />}
      {workers.isPending && <Loader size="sm" role="status" aria-label="Loading" />}
      {workers.data && !here.length && (
        <Paper className="surface" radius="md">
          <EmptyState
            icon={IconServer2}
            title={room === undefined && !admin ? "You have no worker online" : "No worker is online"}
            code={`pip install workroom\nworkroom worker my_extensions.py --room ${where} --url ${serverUrl}`}
          >
            A worker is any process that runs extensions: on your laptop, a GPU box, a cluster node. It only
            needs to reach this server; nothing has to reach it.
          </EmptyState>
        </Paper>
      )}
      <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} spacing="md">
        {here.map((worker) => (
          <WorkerCard key={worker.id} worker={worker} room={room} owned={owned} />
        ))}
      </SimpleGrid>
    </Page>
  );
}

const textOf = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? String(value) : undefined;

/** Whether the worker runs jobs of its room only, so that an owner of the room may remove it. */
const servesOneRoom = (worker: Worker) =>
  worker.extensions.every((offer) => offer.scope === "room" || offer.scope === "function");

function WorkerCard({ worker, room, owned }: { worker: Worker; room: string | undefined; owned: boolean }) {
  const state = STATES[worker.state] ?? STATES.offline!;
  const user = useSession((session) => session.user);
  const mayAct = user?.role === "admin" || worker.userId === user?.id;
  const mayRemove = mayAct || (owned && worker.room === room && servesOneRoom(worker));
  const name = textOf(worker.info.name) || textOf(worker.info.host) || `${worker.kind} worker`;
  const facts = [
    worker.kind,
    textOf(worker.info.host) !== name && textOf(worker.info.host),
    textOf(worker.info.python) && `Python ${textOf(worker.info.python)}`,
    textOf(worker.info.platform),
  ].filter(Boolean);
  return (
    <Paper
      className="surface"
      p="md"
      radius="md"
      data-testid="worker"
      data-state={worker.state}
      style={{ display: "flex", flexDirection: "column" }}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Box style={{ minWidth: 0 }}>
          <Group gap={8} wrap="nowrap">
            <Tooltip label={state.about}>
              <Badge
                variant="default"
                size="sm"
                leftSection={<StateDot state={state.colour} />}
                fw={500}
                style={{ flex: "none" }}
              >
                {state.label}
              </Badge>
            </Tooltip>
            <Text fw={600} truncate>
              {name}
            </Text>
          </Group>
          <Text size="xs" c="dimmed" truncate mt={2}>
            <Text span inherit ff="monospace" title={worker.id}>
              {worker.id.slice(-6)}
            </Text>
            {" · "}
            {facts.join(" · ")}
            {worker.user && ` · of ${worker.user}`}
          </Text>
        </Box>
        {mayRemove && <WorkerMenu worker={worker} name={name} mayDrain={mayAct} />}
      </Group>
      <Group gap={6} mt="sm">
        {worker.extensions.map((offer) => (
          <Tooltip
            key={`${offer.scope} ${offer.room} ${offer.category}/${offer.name}`}
            label={
              offer.breaker === "closed"
                ? `${offer.category}, offered ${offer.scope === "room" ? `in ${offer.room}` : "everywhere"}`
                : offer.breaker === "open"
                  ? `Paused after ${plural(offer.failures, "failure")} in a row; tried again with one job after a while`
                  : "One job is tried to see whether it works again"
            }
          >
            <Badge
              size="sm"
              color={offer.breaker === "closed" ? "gray" : offer.breaker === "open" ? "red" : "yellow"}
              fw={500}
            >
              {offer.name}
              {offer.breaker !== "closed" && ` · breaker ${offer.breaker}`}
            </Badge>
          </Tooltip>
        ))}
      </Group>
      <CurrentJobs worker={worker} mayLook={mayAct} />
      <Throughput of={worker.throughput} />
      <Text size="xs" c="dimmed" mt="sm">
        {worker.kind === "pool"
          ? `${plural(worker.activeJobs, "job")} here, running or fetched ahead`
          : `${worker.activeJobs} of ${plural(worker.capacity, "slot")} in use`}{" "}
        · here since <RelativeTime at={worker.registeredAt} />
        {worker.servedAt && (
          <>
            {" "}
            · last job <RelativeTime at={worker.servedAt} />
          </>
        )}
        {worker.room && worker.room !== room && ` · in ${worker.room}`}
      </Text>
    </Paper>
  );
}

function Throughput({ of }: { of: Worker["throughput"] }) {
  const whole = of.seconds < 60 ? of.seconds : Math.round(of.seconds / 60) * 60;
  const lately = `in the last ${whole === 60 ? "minute" : duration(whole * 1000).replaceAll(" ", "\u00a0")}`;
  return (
    <Group justify="space-between" align="flex-end" wrap="nowrap" gap="sm" pt="sm" mt="auto">
      <Box style={{ minWidth: 0 }} data-testid="throughput">
        <Text size="sm" fw={600} className="numbers" c={of.ended ? undefined : "dimmed"}>
          {rate(of.perMinute)} jobs/min
        </Text>
        <Text size="xs" c="dimmed" className="numbers">
          {of.ended ? `${count(of.ended, true)} ended ` : "None ended "}
          {of.failed > 0 && (
            <Text span inherit c="var(--wr-wrong)">
              ({count(of.failed, true)} failed){" "}
            </Text>
          )}
          {lately}
        </Text>
      </Box>
      <Sparkline values={of.history} colour="var(--wr-running)" />
    </Group>
  );
}

function CurrentJobs({ worker, mayLook }: { worker: Worker; mayLook: boolean }) {
  const jobs = useQuery({
    queryKey: [...queryKeys.allWorkers, worker.id, "jobs", worker.activeJobs],
    enabled: mayLook && worker.activeJobs > 0,
    queryFn: async () =>
      (await api.GET("/api/workers/{id}/jobs", { params: { path: { id: worker.id } } })).data!.items,
  });
  if (!jobs.data?.length || worker.activeJobs === 0) return null;
  return (
    <Stack gap={2} mt="sm">
      {jobs.data.slice(0, 3).map((job) => (
        <Link key={job.jobId} to="/jobs/$job" params={{ job: job.jobId }} className="plain">
          <Group gap={6} wrap="nowrap">
            <StateDot state={job.status} />
            <Text size="sm" truncate>
              {job.name}
              {job.progress?.message && `: ${job.progress.message}`}
            </Text>
          </Group>
        </Link>
      ))}
      {jobs.data.length > 3 && (
        <Text size="xs" c="dimmed">
          and {jobs.data.length - 3} more
        </Text>
      )}
    </Stack>
  );
}
