// Events are hints. Those about jobs and postings carry what lists need and are written into the cache; all others only say
// what to fetch again. When a room has been joined, the first time or again, everything of it is fetched again: until then events
// were missed.
import type { QueryClient } from "@tanstack/react-query";
import { keys } from "@/lib/keys";
import { patch, renew } from "@/live/cache";
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

type Jobs = { pages: JobList[] } | JobList;

function isJobFilter(part: unknown): part is JobFilter {
  return typeof part === "object" && part !== null;
}

function eachPage(known: Jobs, change: (page: JobList) => JobList): Jobs {
  if (!("pages" in known)) return change(known);
  const pages = known.pages.map(change);
  return pages.every((page, at) => page === known.pages[at]) ? known : { ...known, pages };
}

function listed(known: Jobs, told: JobBrief, key: readonly unknown[]): Jobs {
  const last = key.at(-1);
  const filter = isJobFilter(last) ? last : {};
  // One that is on no page yet belongs to the first.
  const pages = "pages" in known ? known.pages : [known];
  const its = pages.find((page) => page.items.some((job) => job.jobId === told.jobId)) ?? pages[0];
  return eachPage(known, (page) => (page === its ? patchJobs(page, told, filter) : page));
}

export function applyJob(client: QueryClient, told: JobBrief) {
  for (const queryKey of [...(told.room === null ? [] : [keys.jobs(told.room)]), keys.allJobs()])
    patch<Jobs>(client, { queryKey }, (known, key) => listed(known, told, key));
  const its = { queryKey: keys.job(told.jobId), exact: true };
  patch<JobDetail>(client, its, (known) => patchDetail(known, told));
  // Result, error, place in the queue and attempts are not in the event.
  renew(client, its);
}

export function applyProgress(client: QueryClient, told: ProgressTold & { room: string | null }) {
  const further = <T extends JobBrief>(job: T) => (job.jobId === told.jobId ? patchProgress(job, told) : job);
  if (told.room !== null)
    patch<Jobs>(client, { queryKey: keys.jobs(told.room) }, (known) =>
      eachPage(known, (page) => {
        const items = page.items.map(further);
        return items.every((job, at) => job === page.items[at]) ? page : { ...page, items };
      }),
    );
  patch<JobDetail>(client, { queryKey: keys.job(told.jobId), exact: true }, further);
}

export function applyLog(client: QueryClient, told: LogTold) {
  patch<LogLine[]>(client, { queryKey: keys.jobLogs(told.jobId), exact: true }, (known) =>
    patchLogs(known, told, new Date().toISOString()),
  );
}

/** Several renewals of one thing in a moment become one. */
function gathering(client: QueryClient, pause = 150) {
  const waiting = new Map<string, readonly unknown[]>();
  return (queryKey: readonly unknown[]) => {
    if (waiting.size === 0) {
      setTimeout(() => {
        for (const queryKey of waiting.values()) renew(client, { queryKey });
        waiting.clear();
      }, pause);
    }
    waiting.set(JSON.stringify(queryKey), queryKey);
  };
}

/** Keeps the cache in step with the server until the returned function is called. */
export function followEvents(client: QueryClient): () => void {
  const socket = connection();
  const renewSoon = gathering(client);
  const counting = gathering(client, 400);
  const undo: (() => void)[] = [];
  let looking = false;
  const waiting = () => {
    if (looking) return;
    looking = true;
    setTimeout(() => {
      looking = false;
      renew(client, {
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
  on("posting:changed", (told: Posting) => applyPosting(client, told, renewSoon));
  on("job:progress", (told: ProgressTold & { room: string | null }) => applyProgress(client, told));
  on("job:log", (told: LogTold) => applyLog(client, told));
  on("extensions:changed", ({ room }: About) => renewIn(room, "extensions"));
  on("workers:changed", ({ room }: About) => {
    renewIn(room, "workers");
    renewIn(room, "extensions");
    renewSoon(keys.allWorkers);
  });
  for (const [event, renewed] of Object.entries(RENEWS)) {
    on(event, (about: About) => {
      if (about.room !== null) for (const key of renewed(about as About & { room: string })) renewSoon(key);
    });
  }

  function renewIn(room: string | null, what: "extensions" | "workers") {
    if (room !== null) renewSoon(keys[what](room));
    else
      renew(client, {
        predicate: ({ queryKey }) => queryKey[0] === "room" && queryKey[2] === what,
      });
  }

  let connectedBefore = socket.connected;
  on("connect", () => {
    if (connectedBefore) renew(client, { predicate: ({ queryKey }) => queryKey[0] !== "room" });
    connectedBefore = true;
  });
  undo.push(
    onJoined((room) =>
      renew(client, {
        predicate: ({ queryKey, state }) =>
          (queryKey[0] === "room" && queryKey[1] === room) ||
          (queryKey[0] === "job" && !(state.data as JobDetail | undefined)?.finishedAt),
      }),
    ),
  );
  return () => {
    for (const step of undo) step();
  };
}
