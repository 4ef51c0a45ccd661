// Applies server events to the query cache. Job and posting events carry the data of list entries and are written into the
// cache; all other events only cause a refetch. When the page has joined a room, everything of the room is fetched again,
// because earlier events were missed.
import type { QueryClient } from "@tanstack/react-query";
import { api, Problem } from "@/lib/api/client";
import { queryKeys } from "@/lib/api/queryKeys";
import type { FramesChanged } from "@/lib/trajectory/trajectory";
import { isLive, type ListedJobs } from "@/live/jobs/jobFilter";
import {
  cutToSize,
  isDrained,
  type JobBrief,
  type JobDetail,
  type JobList,
  type JobLogEvent,
  type JobProgressEvent,
  type LogLine,
  patchDetail,
  patchJobs,
  patchLogs,
  patchProgress,
  patchTexts,
} from "@/live/jobs/jobPatches";
import { applyPosting, type Posting } from "@/live/jobs/postingPatches";
import { patch, refetch } from "@/live/queryCache";
import { onRoomJoined, rejoinAll } from "@/live/room/roomMembership";
import { getSocket } from "@/live/socket";

type RoomEvent = { room: string | null } & Record<string, unknown>;

/** The query keys of a room that are fetched again after an event. */
const REFETCHED_KEYS: Record<
  string,
  (about: RoomEvent & { room: string }) => readonly (readonly unknown[])[]
> = {
  "frames:changed": ({ room, ...change }) => [
    queryKeys.state(room),
    // New frames behind the others leave the values and the positions of the others as they are.
    ...(isAppend(change as unknown as FramesChanged)
      ? []
      : [queryKeys.frames(room, "metadata"), queryKeys.jobChanges(room)]),
  ],
  "selection:changed": ({ room }) => [queryKeys.selections(room)],
  "frame_selection:changed": ({ room }) => [queryKeys.frameSelection(room)],
  "geometries:changed": ({ room }) => [queryKeys.geometries(room)],
  "figures:changed": ({ room }) => [queryKeys.figures(room)],
  "bookmarks:changed": ({ room }) => [queryKeys.bookmarks(room)],
  "metadata:changed": ({ room }) => [queryKeys.metadata(room)],
  "lock:changed": ({ room }) => [queryKeys.locks(room), queryKeys.state(room)],
  "presence:changed": ({ room }) => [queryKeys.presence(room)],
  "chat:message": ({ room }) => [queryKeys.chat(room)],
  "change:made": ({ room, undoOf }) => [
    queryKeys.changes(room),
    ...(undoOf ? [queryKeys.jobChanges(room)] : []),
  ],
  "room:changed": ({ room }) => [
    queryKeys.roomInfo(room),
    queryKeys.members(room),
    queryKeys.links(room),
    queryKeys.rooms(),
  ],
  "presets:changed": ({ room }) => [queryKeys.presets(room)],
  "settings:changed": ({ room }) => [queryKeys.room(room, "settings")],
};

function isAppend({ splices, length }: FramesChanged): boolean {
  const [first, ...others] = splices;
  return (
    first !== undefined &&
    others.length === 0 &&
    first.removed === 0 &&
    first.start > 0 &&
    first.start + first.added === length
  );
}

const MAX_TEXTS = 100;

type Jobs = { pages: JobList[] } | JobList;

function isJobFilter(part: unknown): part is ListedJobs {
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
  // A job that is on no page yet belongs to the first page.
  const pages = "pages" in known ? known.pages : [known];
  const its = pages.find((page) => page.items.some((job) => job.jobId === event.jobId)) ?? pages[0];
  const patched = eachPage(known, (page) => (page === its ? patchJobs(page, event, filter) : page));
  // The pages of another order follow each other by their number, not by their last job.
  if (!isLive(filter)) return patched;
  if (!("pages" in patched)) return cutToSize([patched])[0]!;
  const cut = cutToSize(patched.pages);
  return cut === patched.pages ? patched : { ...patched, pages: cut };
}

/** Fetches lists again of which most jobs have left, e.g. those of waiting jobs. */
function refetchDrained(client: QueryClient, queryKey: readonly unknown[]) {
  refetch(client, {
    queryKey,
    predicate: ({ state }) => {
      const pages = (state.data as { pages?: JobList[] } | undefined)?.pages ?? [];
      return pages.length === 1 && isDrained(pages[0]!);
    },
  });
}

export function applyJob(client: QueryClient, event: JobBrief) {
  for (const queryKey of [
    ...(event.room === null ? [] : [queryKeys.jobs(event.room)]),
    queryKeys.allJobs(),
  ]) {
    patch<Jobs>(client, { queryKey }, (known, key) => patchJobList(known, event, key));
    refetchDrained(client, queryKey);
  }
  const its = { queryKey: queryKeys.job(event.jobId), exact: true };
  patch<JobDetail>(client, its, (known) => patchDetail(known, event));
  // The event does not contain result, error, queue position and attempts.
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

/**
 * Fetches the texts of jobs that events added or ended: their arguments, results and errors. Events do not contain them. One
 * request is made for all jobs of a room within a pause.
 */
function batchTexts(client: QueryClient, pause = 400) {
  const waiting = new Map<string, Set<string>>();
  const fetchTexts = async (room: string) => {
    const ids = [...(waiting.get(room) ?? [])].slice(-MAX_TEXTS);
    waiting.delete(room);
    const lists = [queryKeys.jobs(room), queryKeys.allJobs()];
    const cache = client.getQueryCache();
    if (!lists.some((queryKey) => cache.findAll({ queryKey, type: "active" }).length)) return;
    const params = { path: { room }, query: { id: ids, limit: MAX_TEXTS } };
    const { data } = await api.GET("/api/rooms/{room}/jobs", { params });
    const fetched = new Map(data!.items.map((job) => [job.jobId as string, job]));
    for (const queryKey of lists)
      patch<Jobs>(client, { queryKey }, (known) => eachPage(known, (page) => patchTexts(page, fetched)));
  };
  return (room: string, job: string) => {
    const ids = waiting.get(room);
    if (ids) ids.add(job);
    else {
      waiting.set(room, new Set([job]));
      // A job whose texts could not be fetched has them after the next fetch of its list.
      setTimeout(() => void fetchTexts(room).catch(() => undefined), pause);
    }
  };
}

/** Combines repeated refetches of the same key within a pause. */
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

/** Handles events until the returned function is called. */
export function subscribeToEvents(client: QueryClient): () => void {
  const socket = getSocket();
  const refetchSoon = batchRefetch(client);
  const refetchCounts = batchRefetch(client, 400);
  const fetchTextsSoon = batchTexts(client);
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

  on("job:state_changed", (event: JobBrief) => {
    applyJob(client, event);
    if (event.room !== null) fetchTextsSoon(event.room, event.jobId);
    if (event.room !== null && event.finishedAt !== null) refetchCounts(queryKeys.jobChanges(event.room));
    // The extension list contains the numbers of waiting and running jobs.
    if (event.room !== null) {
      refetchCounts(queryKeys.extensions(event.room));
      refetchCounts(queryKeys.roomQueue(event.room));
    }
    // The queue positions of the other pending jobs change.
    refetchPendingJobs();
  });
  on("posting:changed", (event: Posting) => applyPosting(client, event, refetchSoon));
  on("job:progress", (event: JobProgressEvent & { room: string | null }) => applyProgress(client, event));
  on("job:log", (event: JobLogEvent) => applyLog(client, event));
  on("extensions:changed", ({ room }: RoomEvent) => refetchIn(room, "extensions"));
  on("workers:changed", ({ room }: RoomEvent) => {
    refetchIn(room, "workers");
    refetchIn(room, "extensions");
    refetchSoon(queryKeys.allWorkers);
  });
  // Nothing of a deleted room is asked for again: its pages say that it is gone.
  on("room:changed", ({ room, deleted }: RoomEvent) => {
    if (room === null || !deleted) return;
    void client.cancelQueries({ queryKey: queryKeys.room(room) });
    const gone = new Problem(404, "not_found", `There is no room ${room}.`);
    client
      .getQueryCache()
      .find({ queryKey: queryKeys.roomInfo(room) })
      ?.setState({ data: undefined, status: "error", error: gone, fetchStatus: "idle" });
    refetchSoon(queryKeys.rooms());
  });
  for (const [event, renewed] of Object.entries(REFETCHED_KEYS)) {
    on(event, (about: RoomEvent) => {
      if (about.room !== null && !about.deleted)
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
  // Servers could not reach each other for a moment: as after a reconnect.
  on("events:lost", () => {
    refetch(client, { predicate: ({ queryKey }) => queryKey[0] !== "room" });
    rejoinAll();
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
