// Events are hints. Those about jobs and postings carry what lists need and are written into the cache; all others only say
// what to fetch again. When a room has been joined, the first time or again, everything of it is fetched again: until then events
// were missed.
import type { QueryClient } from "@tanstack/react-query";
import { queryKeys } from "@/lib/api/queryKeys";
import {
  type JobBrief,
  type JobDetail,
  type JobFilter,
  type JobList,
  type JobLogEvent,
  type JobProgressEvent,
  type LogLine,
  patchDetail,
  patchJobs,
  patchLogs,
  patchProgress,
} from "@/live/jobPatches";
import { applyPosting, type Posting } from "@/live/postingPatches";
import { patch, refetch } from "@/live/queryCache";
import { onRoomJoined } from "@/live/roomMembership";
import { getSocket } from "@/live/socket";

type RoomEvent = { room: string | null } & Record<string, unknown>;

/** What of a room is fetched again after an event, apart from those about jobs. */
const REFETCHED_KEYS: Record<
  string,
  (about: RoomEvent & { room: string }) => readonly (readonly unknown[])[]
> = {
  "frames:changed": ({ room }) => [queryKeys.state(room), queryKeys.frames(room, "metadata")],
  "selection:changed": ({ room }) => [queryKeys.selections(room)],
  "frame_selection:changed": ({ room }) => [queryKeys.frameSelection(room)],
  "geometries:changed": ({ room }) => [queryKeys.geometries(room)],
  "figures:changed": ({ room }) => [queryKeys.figures(room)],
  "bookmarks:changed": ({ room }) => [queryKeys.bookmarks(room)],
  "metadata:changed": ({ room }) => [queryKeys.metadata(room)],
  "lock:changed": ({ room }) => [queryKeys.locks(room), queryKeys.state(room)],
  "presence:changed": ({ room }) => [queryKeys.presence(room)],
  "chat:message": ({ room }) => [queryKeys.chat(room)],
  "change:made": ({ room }) => [queryKeys.changes(room)],
  "room:changed": ({ room }) => [
    queryKeys.roomInfo(room),
    queryKeys.members(room),
    queryKeys.links(room),
    queryKeys.rooms(),
  ],
  "settings:changed": ({ room }) => [queryKeys.room(room, "settings")],
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

function patchJobList(known: Jobs, event: JobBrief, key: readonly unknown[]): Jobs {
  const last = key.at(-1);
  const filter = isJobFilter(last) ? last : {};
  // One that is on no page yet belongs to the first.
  const pages = "pages" in known ? known.pages : [known];
  const its = pages.find((page) => page.items.some((job) => job.jobId === event.jobId)) ?? pages[0];
  return eachPage(known, (page) => (page === its ? patchJobs(page, event, filter) : page));
}

export function applyJob(client: QueryClient, event: JobBrief) {
  for (const queryKey of [...(event.room === null ? [] : [queryKeys.jobs(event.room)]), queryKeys.allJobs()])
    patch<Jobs>(client, { queryKey }, (known, key) => patchJobList(known, event, key));
  const its = { queryKey: queryKeys.job(event.jobId), exact: true };
  patch<JobDetail>(client, its, (known) => patchDetail(known, event));
  // Result, error, place in the queue and attempts are not in the event.
  refetch(client, its);
}

export function applyProgress(client: QueryClient, event: JobProgressEvent & { room: string | null }) {
  const patchOne = <T extends JobBrief>(job: T) =>
    job.jobId === event.jobId ? patchProgress(job, event) : job;
  if (event.room !== null)
    patch<Jobs>(client, { queryKey: queryKeys.jobs(event.room) }, (known) =>
      eachPage(known, (page) => {
        const items = page.items.map(patchOne);
        return items.every((job, at) => job === page.items[at]) ? page : { ...page, items };
      }),
    );
  patch<JobDetail>(client, { queryKey: queryKeys.job(event.jobId), exact: true }, patchOne);
}

export function applyLog(client: QueryClient, event: JobLogEvent) {
  patch<LogLine[]>(client, { queryKey: queryKeys.jobLogs(event.jobId), exact: true }, (known) =>
    patchLogs(known, event, new Date().toISOString()),
  );
}

/** Several renewals of one thing in a moment become one. */
function batchRefetch(client: QueryClient, pause = 150) {
  const waiting = new Map<string, readonly unknown[]>();
  return (queryKey: readonly unknown[]) => {
    if (waiting.size === 0) {
      setTimeout(() => {
        for (const queryKey of waiting.values()) refetch(client, { queryKey });
        waiting.clear();
      }, pause);
    }
    waiting.set(JSON.stringify(queryKey), queryKey);
  };
}

/** Keeps the cache in step with the server until the returned function is called. */
export function subscribeToEvents(client: QueryClient): () => void {
  const socket = getSocket();
  const refetchSoon = batchRefetch(client);
  const refetchCounts = batchRefetch(client, 400);
  const undo: (() => void)[] = [];
  let refetchScheduled = false;
  const refetchPendingJobs = () => {
    if (refetchScheduled) return;
    refetchScheduled = true;
    setTimeout(() => {
      refetchScheduled = false;
      refetch(client, {
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
    if (told.room !== null) refetchCounts(queryKeys.extensions(told.room));
    // When one job moves, the place in the queue of those that wait changes.
    refetchPendingJobs();
  });
  on("posting:changed", (told: Posting) => applyPosting(client, told, refetchSoon));
  on("job:progress", (told: JobProgressEvent & { room: string | null }) => applyProgress(client, told));
  on("job:log", (told: JobLogEvent) => applyLog(client, told));
  on("extensions:changed", ({ room }: RoomEvent) => refetchIn(room, "extensions"));
  on("workers:changed", ({ room }: RoomEvent) => {
    refetchIn(room, "workers");
    refetchIn(room, "extensions");
    refetchSoon(queryKeys.allWorkers);
  });
  for (const [event, renewed] of Object.entries(REFETCHED_KEYS)) {
    on(event, (about: RoomEvent) => {
      if (about.room !== null)
        for (const key of renewed(about as RoomEvent & { room: string })) refetchSoon(key);
    });
  }

  function refetchIn(room: string | null, what: "extensions" | "workers") {
    if (room !== null) refetchSoon(queryKeys[what](room));
    else
      refetch(client, {
        predicate: ({ queryKey }) => queryKey[0] === "room" && queryKey[2] === what,
      });
  }

  let connectedBefore = socket.connected;
  on("connect", () => {
    if (connectedBefore) refetch(client, { predicate: ({ queryKey }) => queryKey[0] !== "room" });
    connectedBefore = true;
  });
  undo.push(
    onRoomJoined((room) =>
      refetch(client, {
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
