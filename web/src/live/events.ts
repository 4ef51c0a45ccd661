// Events are hints. Those about jobs and postings carry what lists need and are written into the cache; all others only say
// what to fetch again. After a reconnect everything of the joined rooms is fetched again, because events may have been missed.
import type { QueryClient } from "@tanstack/react-query";
import { keys } from "@/lib/keys";
import {
  type JobBrief,
  type JobDetail,
  type JobFilter,
  type JobList,
  type LogLine,
  type LogTold,
  type ProgressTold,
  patchDetail,
  patchJobs,
  patchLogs,
  patchProgress,
} from "@/live/jobs";
import { applyPosting, type Posting } from "@/live/postings";
import { onJoined } from "@/live/rooms";
import { connection } from "@/live/socket";

type About = { room: string | null } & Record<string, unknown>;

/** What of a room is fetched again after an event, apart from those about jobs. */
const RENEWS: Record<string, (about: About & { room: string }) => readonly (readonly unknown[])[]> = {
  "frames:changed": ({ room }) => [keys.state(room), keys.frames(room, "metadata")],
  "selection:changed": ({ room }) => [keys.selections(room)],
  "frame_selection:changed": ({ room }) => [keys.frameSelection(room)],
  "geometries:changed": ({ room }) => [keys.geometries(room)],
  "figures:changed": ({ room }) => [keys.figures(room)],
  "bookmarks:changed": ({ room }) => [keys.bookmarks(room)],
  "metadata:changed": ({ room }) => [keys.metadata(room)],
  "lock:changed": ({ room }) => [keys.locks(room), keys.state(room)],
  "presence:changed": ({ room }) => [keys.presence(room)],
  "chat:message": ({ room }) => [keys.chat(room)],
  "change:made": ({ room }) => [keys.changes(room)],
  "room:changed": ({ room }) => [keys.roomInfo(room), keys.members(room), keys.links(room), keys.rooms()],
  "settings:changed": ({ room }) => [keys.room(room, "settings")],
};

function isJobFilter(part: unknown): part is JobFilter {
  return typeof part === "object" && part !== null;
}

export function applyJob(client: QueryClient, told: JobBrief) {
  const lists = [
    ...(told.room === null
      ? []
      : client.getQueriesData<{ pages: JobList[] } | JobList>({ queryKey: keys.jobs(told.room) })),
    ...client.getQueriesData<{ pages: JobList[] } | JobList>({ queryKey: keys.allJobs() }),
  ];
  for (const [key, known] of lists) {
    if (!known) continue;
    const last = key.at(-1);
    const filter = isJobFilter(last) ? last : {};
    if ("pages" in known) {
      const at = known.pages.findIndex((page) => page.items.some((job) => job.jobId === told.jobId));
      const pages = known.pages.map((page, index) =>
        index === Math.max(at, 0) ? patchJobs(page, told, filter) : page,
      );
      client.setQueryData(key, { ...known, pages });
    } else {
      client.setQueryData(key, patchJobs(known, told, filter));
    }
  }
  const detail = client.getQueryData<JobDetail>(keys.job(told.jobId));
  if (detail) {
    client.setQueryData(keys.job(told.jobId), patchDetail(detail, told));
    // Result, error, place in the queue and attempts are not in the event.
    void client.invalidateQueries({ queryKey: keys.job(told.jobId), exact: true });
  }
}

export function applyProgress(client: QueryClient, told: ProgressTold & { room: string | null }) {
  if (told.room !== null) {
    for (const [key, known] of client.getQueriesData<{ pages: JobList[] } | JobList>({
      queryKey: keys.jobs(told.room),
    })) {
      if (!known) continue;
      const patch = (list: JobList): JobList =>
        list.items.some((job) => job.jobId === told.jobId)
          ? {
              ...list,
              items: list.items.map((job) => (job.jobId === told.jobId ? patchProgress(job, told) : job)),
            }
          : list;
      client.setQueryData(key, "pages" in known ? { ...known, pages: known.pages.map(patch) } : patch(known));
    }
  }
  client.setQueryData<JobDetail>(keys.job(told.jobId), (job) => (job ? patchProgress(job, told) : job));
}

export function applyLog(client: QueryClient, told: LogTold) {
  client.setQueryData<LogLine[]>(keys.jobLogs(told.jobId), (known) =>
    known ? patchLogs(known, told, new Date().toISOString()) : known,
  );
}

/** Several renewals of one thing in a moment become one. */
function gathering(client: QueryClient, pause = 150) {
  const waiting = new Map<string, readonly unknown[]>();
  return (queryKey: readonly unknown[]) => {
    if (waiting.size === 0) {
      setTimeout(() => {
        for (const key of waiting.values()) void client.invalidateQueries({ queryKey: key });
        waiting.clear();
      }, pause);
    }
    waiting.set(JSON.stringify(queryKey), queryKey);
  };
}

/** Keeps the cache in step with the server until the returned function is called. */
export function followEvents(client: QueryClient): () => void {
  const socket = connection();
  const renew = gathering(client);
  const counting = gathering(client, 400);
  const undo: (() => void)[] = [];
  let looking = false;
  const waiting = () => {
    if (looking) return;
    looking = true;
    setTimeout(() => {
      looking = false;
      void client.invalidateQueries({
        predicate: ({ queryKey, state }) =>
          queryKey[0] === "job" && (state.data as JobDetail | undefined)?.status === "pending",
      });
    }, 1_000);
  };
  const on = (event: string, handler: (about: never) => void) => {
    socket.on(event, handler as (about: unknown) => void);
    undo.push(() => socket.off(event, handler as (about: unknown) => void));
  };

  on("job:state_changed", (told: JobBrief) => {
    applyJob(client, told);
    // How many wait and run is part of the extension list.
    if (told.room !== null) counting(keys.extensions(told.room));
    // When one job moves, the place in the queue of those that wait changes.
    waiting();
  });
  on("posting:changed", (told: Posting) => applyPosting(client, told, renew));
  on("job:progress", (told: ProgressTold & { room: string | null }) => applyProgress(client, told));
  on("job:log", (told: LogTold) => applyLog(client, told));
  on("extensions:changed", ({ room }: About) => renewIn(room, "extensions"));
  on("workers:changed", ({ room }: About) => {
    renewIn(room, "workers");
    renewIn(room, "extensions");
    renew(keys.allWorkers);
  });
  for (const [event, renewed] of Object.entries(RENEWS)) {
    on(event, (about: About) => {
      if (about.room !== null) for (const key of renewed(about as About & { room: string })) renew(key);
    });
  }

  function renewIn(room: string | null, what: "extensions" | "workers") {
    if (room !== null) renew(keys[what](room));
    else
      void client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey[0] === "room" && queryKey[2] === what,
      });
  }

  let connectedBefore = socket.connected;
  on("connect", () => {
    if (connectedBefore)
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "room" });
    connectedBefore = true;
  });
  onJoined((room) => {
    // Also after a reconnect, which joins every room again.
    void client.invalidateQueries({
      predicate: ({ queryKey, state }) =>
        (queryKey[0] === "room" && queryKey[1] === room) ||
        (queryKey[0] === "job" && (state.data as JobDetail | undefined)?.finishedAt === null),
    });
  });
  return () => {
    for (const step of undo) step();
  };
}
