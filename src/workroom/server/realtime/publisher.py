"""Turns events of actions into socket messages.

Actions announce events after their commit. The publisher sends them in that order to the channels that they concern:

    room:<name>      the sockets that joined the room      account:<id>   the sockets of an account
    worker:<id>      a worker's socket                     everyone       the sockets of all people

A message has what a list needs, never large fields. A client that missed one fetches the list again.

Messages about shared events go to the sockets of this server only: every server announces them itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any, Self

from workroom.actions.engine import Engine
from workroom.actions.events import (
    AccountRevoked,
    ApiTokenRevoked,
    AssignmentsRepeated,
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
    PresetsChanged,
    ProgressMade,
    RoomChanged,
    RoomDeleted,
    SettingsStored,
    StepSet,
    WorkAppeared,
    WorkerFreed,
    WorkersChanged,
    WorkersEnded,
)
from workroom.actions.queries import jobs as job_queries
from workroom.actions.queries import overview
from workroom.logs import get_logger
from workroom.server.auth.tokens import PersonToken, TokenIssuer
from workroom.server.realtime import hub
from workroom.server.realtime.assignment_push import AssignmentPush
from workroom.server.realtime.hub import SocketHub
from workroom.server.realtime.job_feed import JOB_EVENTS, JobFeed
from workroom.server.realtime.ordered_sender import OrderedSender
from workroom.server.serializers import jobs as job_serializers
from workroom.server.serializers import room_items

log = get_logger(__name__)

_COALESCE_SECONDS = 0.004
_NOT_FOR_ROOMS = (AssignmentsRepeated, CancelRequested, WorkAppeared, WorkerFreed)


class EventPublisher:
    """Sends events in the order in which they were committed; assignments go first, in a queue of their own."""

    def __init__(self, sockets: SocketHub, engine: Engine, tokens: TokenIssuer, *, alone: bool = True) -> None:
        """`alone`: no other server is on the database."""
        self._hub = sockets
        self._engine = engine
        self._queue = OrderedSender("event publisher", self._send)
        self._assignments = AssignmentPush(sockets, engine, tokens)
        self._job_feed = JobFeed(sockets, engine, caches=alone)
        self._deferred: list[Event] = []  # new-job events, held so that a job that ends at once is sent as one message
        self._timer: asyncio.TimerHandle | None = None
        self._services = AsyncExitStack()
        self.recheck: Callable[[str], Awaitable[None]] = _no_recheck  # removes sockets that lost their right to a room

    async def __aenter__(self) -> Self:
        await self._services.enter_async_context(self._queue)
        await self._services.enter_async_context(self._assignments)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._flush_deferred()
        await self._services.aclose()

    def announce(self, events: Sequence[Event]) -> None:
        """Send events, now or soon. Never raises: the action is committed, and its caller must not fail."""
        try:
            self._announce(events)
        except Exception:
            log.exception("events not sent")

    def _announce(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, JobsAssigned | AssignmentsRepeated | CancelRequested):
                self._assignments.push(event)
        for_rooms = [event for event in events if not isinstance(event, _NOT_FOR_ROOMS)]
        self._deferred += for_rooms
        if not all(isinstance(event, JobSubmitted | JobsAssigned) for event in for_rooms):
            self._flush_deferred()
        elif for_rooms and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_COALESCE_SECONDS, self._flush_deferred)

    def _flush_deferred(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        events, self._deferred = self._deferred, []
        if not self._send_now(events):
            for event in events:
                self._queue.put(event)

    def _send_now(self, events: Sequence[Event]) -> bool:
        """Send changes of jobs without a task, if no event is queued before them and nothing has to be read."""
        job_events = [event for event in events if isinstance(event, JobSubmitted | JobsAssigned | JobsMoved)]
        return self._queue.idle and len(job_events) == len(events) and self._job_feed.send_from_cache(job_events)

    async def _send(self, event: Event) -> None:  # noqa: PLR0912, PLR0915 - one case for each kind
        if isinstance(event, RoomChanged | MembersChanged | RoomDeleted | AccountRevoked):
            self._job_feed.forget_rights()
        match event:
            case JobSubmitted() | JobsAssigned() | JobsMoved():
                # Changes that are queued one after the other are read with one query.
                await self._job_feed.send([event, *self._queue.take_next(JOB_EVENTS)])
            case ProgressMade() | LinesLogged():
                await self._send_output(event)
            case ChatPosted(messages):
                for message in messages:
                    self._to_room(message.room, "chat:message", job_serializers.chat(message))
            case ChangeMade(room):
                self._to_room(room, "change:made", job_serializers.change_made(event))
            case FramesChanged(room):
                self._to_room(room, "frames:changed", job_serializers.frames_changed(event))
            case LockHeld() | LockFreed():
                room, body = room_items.lock_event(event)
                self._to_room(room, "lock:changed", body)
            case ItemsChanged(room):
                self._to_room(room, *room_items.items_event(event))
            case StepSet(room, step, step_revision, by, name):
                body = {"step": step, "stepRevision": step_revision, "by": {"id": str(by), "name": name}}
                self._to_room(room, "step:changed", body)
            case ChatDeleted(room, message_id):
                self._to_room(room, "chat:message", {"id": str(message_id), "deleted": True})
            case WorkersChanged(worker_ids):
                rooms = await overview.rooms_to_notify(self._engine, worker_ids=worker_ids)
                ids = [str(worker_id) for worker_id in worker_ids]
                self._to_rooms(rooms, "workers:changed", {"workerIds": ids}, self._hub.emit)
                self._to_rooms(rooms, "extensions:changed", {}, self._hub.emit)
            case WorkersEnded(worker_ids):
                for worker_id in worker_ids:
                    await self._disconnect_all(hub.worker(worker_id))
            case ExtensionsOffered(extension_ids):
                for extension_id in extension_ids:
                    self._assignments.forget_extension(extension_id)
                rooms = await overview.rooms_to_notify(self._engine, extension_ids=extension_ids)
                self._to_rooms(rooms, "extensions:changed", {}, self._hub.emit_here)
            case ExtensionsRemoved(extensions):
                rooms = {extension.room for extension in extensions}
                self._to_rooms(rooms, "extensions:changed", {}, self._hub.emit_here)
            case PresetsChanged(room, category, extension):
                self._to_room(room, "presets:changed", {"category": category, "name": extension})
            case SettingsStored(room, account_id, name):
                self._hub.emit("settings:changed", {"room": room, "name": name}, hub.account(account_id))
            case RoomChanged(room) | MembersChanged(room=room):
                # First remove the sockets that may no longer see the room: they must not get the message.
                await self.recheck(room)
                self._hub.emit_here("room:changed", {"room": room}, hub.room(room))
            case RoomDeleted(room):
                self._hub.emit_here("room:changed", {"room": room, "deleted": True}, hub.room(room))
                await self._hub.close_room(room)
            case AccountRevoked(account_id):
                for sid in self._hub.members(hub.account(account_id)):
                    token = self._hub.token(sid)
                    # An API token outlives a sign-out. If it was revoked too, its own event follows.
                    if not isinstance(token, PersonToken) or token.grant is None:
                        await self._hub.disconnect(sid)
            case ApiTokenRevoked(_, token_id):
                await self._disconnect_all(hub.api_token(token_id))
            case AssignmentsRepeated() | CancelRequested() | WorkAppeared() | WorkerFreed():
                pass  # sent by AssignmentPush, or of no interest to clients
            case PostingChanged() | PostingEnded():
                pass  # sent by PostingProgressPoller

    async def _send_output(self, event: ProgressMade | LinesLogged) -> None:
        rows = await job_queries.job_summaries(self._engine, [event.job_id])
        room = rows[0].room if rows else None
        if room is None:
            return
        body: dict[str, Any] = {"jobId": str(event.job_id), "attempt": event.attempt}
        match event:
            case ProgressMade(fraction=fraction, message=message):
                self._to_room(room, "job:progress", body | {"fraction": fraction, "message": message})
            case LinesLogged(first_line=first, lines=lines):
                self._to_room(room, "job:log", body | {"line": first, "lines": list(lines)})

    async def _disconnect_all(self, channel: str) -> None:
        for sid in self._hub.members(channel):
            await self._hub.disconnect(sid)

    def _to_room(self, room: str, name: str, body: dict[str, Any]) -> None:
        self._hub.emit(name, {"room": room} | body, hub.room(room))

    @staticmethod
    def _to_rooms(rooms: set[str | None], name: str, body: dict[str, Any], emit: Callable[..., None]) -> None:
        """Send to several rooms. None among them stands for all rooms."""
        if None in rooms:
            emit(name, {"room": None} | body, hub.EVERYONE)
            return
        for room in rooms:
            if room is not None:
                emit(name, {"room": room} | body, hub.room(room))


async def _no_recheck(_: str) -> None:
    return None
