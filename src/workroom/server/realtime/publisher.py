"""Turns events into socket messages.

Events come from actions after their commit, one after the other, and leave in that order. Who gets them:

    room:<name>      everybody who joined the room        account:<id>   a person's sockets
    worker:<id>      a worker's socket                    everyone       all people

A message is a hint: it carries what a list needs, never large fields, and whoever missed it fetches again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import structlog

from workroom.actions.engine import Engine
from workroom.actions.events import (
    AccountRevoked,
    CancelRequested,
    ChangeMade,
    ChatDeleted,
    ChatPosted,
    Event,
    ExtensionsOffered,
    ExtensionsRemoved,
    FramesChanged,
    ItemsChanged,
    JobsAssigned,
    JobsMoved,
    JobSubmitted,
    LinesLogged,
    LockFreed,
    LockHeld,
    MembersChanged,
    PostingChanged,
    PostingEnded,
    ProgressMade,
    RoomChanged,
    RoomDeleted,
    SettingsStored,
    StepSet,
    WorkAppeared,
    WorkerFreed,
    WorkersChanged,
)
from workroom.actions.queries import extensions as extension_queries
from workroom.actions.queries import jobs as job_queries
from workroom.actions.queries import overview
from workroom.domain.errors import WorkroomError
from workroom.domain.jobs.states import FINAL, State
from workroom.server.auth.tokens import JobToken, TokenIssuer
from workroom.server.realtime import hub
from workroom.server.realtime.hub import SocketHub
from workroom.server.serializers import jobs as job_serializers
from workroom.server.serializers import room_items
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.queue_tables.job_rows import Claimed, JobSummary

log = structlog.get_logger("workroom.herald")

# A job's token outlives any single renewal: what it opens is checked against the attempt each time.
_JOB_TOKEN_SECONDS = 30 * 86_400.0
_MOST_REMEMBERED = 20_000
_COALESCE_SECONDS = 0.004  # seconds
_NO_NEWS = (CancelRequested, WorkAppeared, WorkerFreed)
_BEGINNINGS = (JobSubmitted, JobsAssigned)


class EventPublisher:
    """Announces events, in the order in which they were committed."""

    def __init__(self, board: SocketHub, engine: Engine, tokens: TokenIssuer) -> None:
        self._hub = board
        self._engine = engine
        self._tokens = tokens
        self._news = _EventQueue()
        self._work = _EventQueue()
        self._extensions: dict[int, ExtensionRow] = {}
        self._job_cache: dict[UUID, JobSummary] = {}
        self._deferred: list[
            Event
        ] = []  # that there are new jobs: told in a moment, with what has become of them by then
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self.recheck: Callable[[str], Awaitable[None]] = _nobody

    def announce(self, events: Sequence[Event]) -> None:
        """What has happened is committed: whoever did it must not suffer from a message that cannot be sent."""
        try:
            self._announce(events)
        except Exception:
            log.exception("events not announced")

    def _announce(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, (JobsAssigned, CancelRequested)) and not self._push_now(event):
                # Work does not queue behind news.
                self._work.put(event)
        news = [event for event in events if not isinstance(event, _NO_NEWS)]
        self._deferred += news
        if not all(isinstance(event, _BEGINNINGS) for event in news):
            self._flush_deferred()
        elif news and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_COALESCE_SECONDS, self._flush_deferred)

    def _flush_deferred(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        events, self._deferred = self._deferred, []
        if not self._publish_now(events):
            for event in events:
                self._news.put(event)

    async def __aenter__(self) -> EventPublisher:
        self._tasks = [
            asyncio.create_task(self._serve(self._news, self._tell), name="herald"),
            asyncio.create_task(self._serve(self._work, self._push), name="herald of work"),
        ]
        return self

    async def __aexit__(self, *_: object) -> None:
        """Announce what is still waiting, then stop."""
        self._flush_deferred()
        try:
            async with asyncio.timeout(2):
                await self._work.emptied()
                await self._news.emptied()
        except TimeoutError:
            log.warning("events dropped at shutdown")
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, line: _EventQueue, tell: Callable[[Any], Awaitable[None]]) -> None:
        while True:
            event = await line.get()
            try:
                await tell(event)
            except WorkroomError as error:
                log.warning("event not announced", kind=type(event).__name__, code=error.code)
            except Exception:
                log.exception("event not announced", kind=type(event).__name__)

    def _push_now(self, event: JobsAssigned | CancelRequested) -> bool:
        """Send work out at once, if nothing is before it and nothing has to be looked up for it."""
        wanted = {job.extension_id for job in event.jobs} if isinstance(event, JobsAssigned) else set[int]()
        if not self._work.idle or wanted - self._extensions.keys():
            return False
        self._send(event, self._extensions)
        return True

    async def _push(self, event: JobsAssigned | CancelRequested) -> None:
        meant: dict[int, ExtensionRow] = {}
        for extension_id in {job.extension_id for job in event.jobs} if isinstance(event, JobsAssigned) else ():
            known = self._extensions.get(extension_id)
            meant[extension_id] = known or await extension_queries.extension(self._engine, extension_id)
        self._extensions |= meant
        self._send(event, meant)

    def _send(self, event: JobsAssigned | CancelRequested, extensions: Mapping[int, ExtensionRow]) -> None:
        match event:
            case JobsAssigned(worker_id, jobs):
                for job in jobs:
                    body = self._assignment(worker_id, job, extensions[job.extension_id])
                    self._to_worker(worker_id, "job:assigned", body)
            case CancelRequested(worker_id, job_id, attempt):
                self._to_worker(worker_id, "job:cancel", {"jobId": str(job_id), "attempt": attempt})

    def _publish_now(self, events: Sequence[Event]) -> bool:
        """Tell how jobs moved at once, if nothing is before it and nothing has to be looked up for it."""
        if not self._news.idle:
            return False
        changes: list[_Change] = []
        for event in events:
            if not isinstance(event, (JobSubmitted, JobsMoved, JobsAssigned)):
                return False
            changes += _changes(event)
        heard = self._heard(changes)
        if self._to_look_up(heard):
            return False
        self._tell_states(heard)
        return True

    async def _tell(self, event: Event) -> None:  # noqa: PLR0912 - one case for each kind of event
        match event:
            case JobSubmitted() | JobsAssigned() | JobsMoved():
                # Changes that wait together are looked up together.
                await self._states_changed([*_changes(event), *self._news.further_changes()])
            case ProgressMade() | LinesLogged():
                await self._job_spoke(event)
            case ChatPosted(messages):
                for message in messages:
                    self._to_room(message.room, "chat:message", job_serializers.chat(message))
            case ChangeMade(room):
                self._to_room(room, "change:made", job_serializers.change_made(event))
            case FramesChanged(room):
                self._to_room(room, "frames:changed", job_serializers.frames_changed(event))
            case LockHeld() | LockFreed():
                room, body = room_items.lock_news(event)
                self._to_room(room, "lock:changed", body)
            case ItemsChanged(room):
                self._to_room(room, *room_items.items_news(event))
            case StepSet(room, step, by, name):
                self._to_room(room, "step:changed", {"step": step, "by": {"id": str(by), "name": name}})
            case ChatDeleted(room, message_id):
                self._to_room(room, "chat:message", {"id": str(message_id), "deleted": True})
            case WorkersChanged(worker_ids):
                rooms = await overview.rooms_to_notify(self._engine, worker_ids=worker_ids)
                self._to_rooms(rooms, "workers:changed", {"workerIds": [str(worker_id) for worker_id in worker_ids]})
                self._to_rooms(rooms, "extensions:changed", {})
            case ExtensionsOffered(extension_ids):
                for extension_id in extension_ids:
                    self._extensions.pop(extension_id, None)
                rooms = await overview.rooms_to_notify(self._engine, extension_ids=extension_ids)
                self._to_rooms(rooms, "extensions:changed", {})
            case ExtensionsRemoved(extensions):
                self._to_rooms({one.room for one in extensions}, "extensions:changed", {})
            case SettingsStored(room, account_id, name):
                self._hub.emit("settings:changed", {"room": room, "name": name}, hub.account(account_id))
            case RoomChanged(room) | MembersChanged(room=room):
                # First whoever may no longer see it is shown out, then the others hear of it.
                await self.recheck(room)
                self._to_room(room, "room:changed", {})
            case RoomDeleted(room):
                self._to_room(room, "room:changed", {"deleted": True})
                await self._hub.close(hub.room(room))
            case AccountRevoked(account_id):
                await self._drop(account_id)
            case CancelRequested() | WorkAppeared() | WorkerFreed() | PostingChanged() | PostingEnded():
                pass

    def _assignment(self, worker_id: UUID, job: Claimed, extension: ExtensionRow) -> dict[str, Any]:
        token = JobToken(job.id, worker_id, job.attempt, job.room)
        return {
            "jobId": str(job.id),
            "attempt": job.attempt,
            "triesLeft": job.tries_left,
            "room": job.room,
            "scope": extension.scope,
            "category": extension.category,
            "name": extension.name,
            "data": job.arguments,
            "jobToken": self._tokens.issue(token, _JOB_TOKEN_SECONDS),
            "timeoutSeconds": extension.timeout_seconds,
        }

    async def _states_changed(self, changes: Sequence[_Change]) -> None:
        heard = self._heard(changes)
        await self._look_up(self._to_look_up(heard))
        self._tell_states(heard)

    def _heard(self, changes: Sequence[_Change]) -> list[_Change]:
        return [one for one in changes if one.room is not None and self._hub.has_members(hub.room(one.room))]

    def _to_look_up(self, heard: Sequence[_Change]) -> list[UUID]:
        told = {one.id for one in heard if one.told}
        return [one.id for one in heard if not (one.complete and (one.id in told or one.id in self._job_cache))]

    def _tell_states(self, heard: Sequence[_Change]) -> None:
        """Of what has happened to a job by now only the last is told: it has the times of all before."""
        latest: dict[UUID, JobSummary] = {}
        for one in heard:
            row = one.told or self._job_cache.get(one.id)
            if row is not None:
                latest.pop(one.id, None)
                latest[one.id] = self._job_cache[one.id] = _as_of(row, one)
        for row in latest.values():
            if row.state in FINAL:
                del self._job_cache[row.id]
            if row.room is not None:
                self._hub.emit("job:state_changed", job_serializers.job_brief_dict(row), hub.room(row.room))

    async def _look_up(self, ids: list[UUID]) -> None:
        """What these jobs are; it is remembered until they end, so that a start or an end need not be looked up."""
        if ids:
            if len(self._job_cache) > _MOST_REMEMBERED:
                self._job_cache.clear()
            self._job_cache |= {
                row.id: row for row in await job_queries.job_summaries(self._engine, list(dict.fromkeys(ids)))
            }

    async def _job_spoke(self, event: ProgressMade | LinesLogged) -> None:
        found = await job_queries.job_summaries(self._engine, [event.job_id])
        room = found[0].room if found else None
        if room is None:
            return
        body: dict[str, Any] = {"jobId": str(event.job_id), "attempt": event.attempt}
        match event:
            case ProgressMade(fraction=fraction, message=message):
                self._to_room(room, "job:progress", body | {"fraction": fraction, "message": message})
            case LinesLogged(first_line=first, lines=lines):
                self._to_room(room, "job:log", body | {"line": first, "lines": list(lines)})

    async def _drop(self, account_id: UUID) -> None:
        for sid in self._hub.members(hub.account(account_id)):
            await self._hub.disconnect(sid)

    def _to_worker(self, worker_id: UUID, name: str, body: dict[str, Any]) -> None:
        self._hub.emit(name, body, hub.worker(worker_id))

    def _to_room(self, room: str, name: str, body: dict[str, Any]) -> None:
        self._hub.emit(name, {"room": room} | body, hub.room(room))

    def _to_rooms(self, rooms: set[str | None], name: str, body: dict[str, Any]) -> None:
        if None in rooms:
            self._hub.emit(name, {"room": None} | body, hub.EVERYONE)
            return
        for room in rooms:
            if room is not None:
                self._to_room(room, name, body)


async def _nobody(_: str) -> None:
    return None


class _EventQueue:
    """Events that wait to be announced, in their order."""

    def __init__(self) -> None:
        self._waiting: deque[Event] = deque()
        self._come = asyncio.Event()
        self._gone = asyncio.Event()
        self._gone.set()

    def put(self, event: Event) -> None:
        self._waiting.append(event)
        self._come.set()
        self._gone.clear()

    @property
    def idle(self) -> bool:
        """Nothing waits, and nothing is being announced."""
        return self._gone.is_set()

    async def get(self) -> Event:
        """The next event; asking for it says that the one before has been announced."""
        if not self._waiting:
            self._come.clear()
            self._gone.set()
            await self._come.wait()
        return self._waiting.popleft()

    def further_changes(self) -> Iterator[_Change]:
        """The changes of jobs that are next in line, taken out of it."""
        while self._waiting and isinstance(self._waiting[0], JobSubmitted | JobsMoved | JobsAssigned):
            event = self._waiting.popleft()
            if isinstance(event, JobSubmitted | JobsMoved | JobsAssigned):
                yield from _changes(event)

    async def emptied(self) -> None:
        await self._gone.wait()


class _Change(NamedTuple):
    """What an event says about one job."""

    id: UUID
    room: str | None
    state: str
    attempt: int
    facts: dict[str, Any]  # what else of the job has changed
    complete: bool  # these are all that has: who knew the job before knows it now
    told: JobSummary | None = None  # the whole job, where the event has it


def _changes(event: JobSubmitted | JobsMoved | JobsAssigned) -> Iterator[_Change]:
    match event:
        case JobSubmitted(job):
            yield _Change(job.id, job.room, job.state, 0, {}, True, job)
        case JobsAssigned(worker_id, jobs):
            for job in jobs:
                facts = {"worker_id": worker_id, "assigned_at": job.assigned_at, "run_at": None}
                yield _Change(job.id, job.room, State.ASSIGNED, job.attempt, facts, True)
        case JobsMoved(jobs):
            for job in jobs:
                facts = {"started_at": job.started_at, "finished_at": job.finished_at}
                known = {name: value for name, value in facts.items() if value is not None}
                yield _Change(job.id, job.room, job.state, job.attempt, known, job.started_at is not None)


def _as_of(row: JobSummary, change: _Change) -> JobSummary:
    """The job as it was after this change, though it may have gone on by the time it was looked up."""
    row = row._replace(state=change.state, attempt=change.attempt, **change.facts)
    if change.state not in FINAL:
        row = row._replace(finished_at=None)
    if change.state not in FINAL and change.state != State.RUNNING:
        row = row._replace(started_at=None)
    return row
