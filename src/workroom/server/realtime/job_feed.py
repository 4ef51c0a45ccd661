"""Sends `job:state_changed` to the room and the submitter of a job: one message for all changes known by then.

The submitter gets it on every page, while the account may read the room; calls of postings go to the room only.

An event has only what changed. The rest of the message comes from a cache of job summaries, which keeps each job from
its first event until it ends, so that a start or an end needs no query. Beside other servers nothing is cached: they
change the job too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.actions.events import JobsAssigned, JobsMoved, JobSubmitted
from workroom.actions.queries import jobs as job_queries
from workroom.domain.jobs.states import FINAL, State
from workroom.server.realtime import hub
from workroom.server.realtime.hub import SocketHub
from workroom.server.serializers import jobs as job_serializers
from workroom.store.queue_tables.job_rows import JobSummary

JobEvent = JobSubmitted | JobsAssigned | JobsMoved
JOB_EVENTS = (JobSubmitted, JobsAssigned, JobsMoved)

_CACHE_LIMIT = 20_000


class JobFeed:
    def __init__(self, sockets: SocketHub, engine: Engine, *, caches: bool = True) -> None:
        self._hub = sockets
        self._engine = engine
        self._caches = caches
        self._cache: dict[UUID, JobSummary] = {}
        self._may_read: dict[tuple[UUID, str], bool] = {}  # by submitter and room

    def send_from_cache(self, events: Sequence[JobEvent]) -> bool:
        """Send the changes at once, if nothing has to be read from the database. Returns whether it did."""
        changes = self._visible(events)
        if self._missing(changes) or self._unchecked(changes):
            return False
        self._send(changes)
        return True

    async def send(self, events: Sequence[JobEvent]) -> None:
        """Read the jobs that are not cached, all with one query, and send the changes."""
        changes = self._visible(events)
        if missing := self._missing(changes):
            if len(self._cache) > _CACHE_LIMIT:
                self._cache.clear()
                missing = self._missing(changes)
            rows = await job_queries.job_summaries(self._engine, list(dict.fromkeys(missing)))
            self._cache |= {row.id: row for row in rows}
        if pairs := self._unchecked(changes):
            if len(self._may_read) > _CACHE_LIMIT:
                self._may_read.clear()
            readers = await job_queries.readers(self._engine, list(pairs))
            self._may_read |= {pair: pair in readers for pair in pairs}
        self._send(changes)

    def forget_rights(self) -> None:
        """Some room, membership or account has changed."""
        self._may_read.clear()

    def _visible(self, events: Sequence[JobEvent]) -> list[_Change]:
        """The changes that a socket may concern: in rooms that may have members, and any while a person is connected.

        The event does not have the submitter, so all jobs are cached then.
        """
        people = self._hub.may_have_members(hub.EVERYONE)
        changes = (change for event in events for change in _changes(event))
        return [
            change
            for change in changes
            if change.room and ((people and not change.is_posted) or self._hub.may_have_members(hub.room(change.room)))
        ]

    def _unchecked(self, changes: Sequence[_Change]) -> set[tuple[UUID, str]]:
        """The connected submitters, with the rooms of their jobs, whose rights are not known."""
        pairs = {
            (row.submitter, change.room)
            for change in changes
            if change.room and not change.is_posted and (row := change.summary or self._cache.get(change.id))
        }
        return {
            pair for pair in pairs if pair not in self._may_read and self._hub.may_have_members(hub.account(pair[0]))
        }

    def _channels(self, row: JobSummary, room: str) -> list[str]:
        channels = [hub.room(room)]
        if row.posting_id is None and self._may_read.get((row.submitter, room)):
            channels.append(hub.account(row.submitter))
        return [channel for channel in channels if self._hub.may_have_members(channel)]

    def _missing(self, changes: Sequence[_Change]) -> list[UUID]:
        """The jobs that must be read: not cached, or changed in a way that the event does not have completely."""
        known = {change.id for change in changes if change.summary}
        return [
            change.id
            for change in changes
            if not (change.is_complete and (change.id in known or change.id in self._cache))
        ]

    def _send(self, changes: Sequence[_Change]) -> None:
        """Of several changes of one job only the last is sent: it has the times of all before."""
        latest: dict[UUID, JobSummary] = {}
        for change in changes:
            row = change.summary or self._cache.get(change.id)
            if row is not None:
                latest.pop(change.id, None)
                latest[change.id] = self._cache[change.id] = _apply(row, change)
        for row in latest.values():
            if row.state in FINAL:
                del self._cache[row.id]
            if row.room is not None and (channels := self._channels(row, row.room)):
                self._hub.emit("job:state_changed", job_serializers.job_event(row), *channels)
        if not self._caches:
            self._cache.clear()


class _Change(NamedTuple):
    """The part of an event that is about one job."""

    id: UUID
    room: str | None
    state: str
    attempt: int
    fields: dict[str, Any]  # other columns that changed
    is_complete: bool  # no column has changed that is not in `fields`
    is_posted: bool  # it is a call of a posting
    summary: JobSummary | None = None  # the whole job, if the event has it


def _changes(event: JobEvent) -> Iterator[_Change]:
    match event:
        case JobSubmitted(job):
            yield _Change(job.id, job.room, job.state, 0, {}, True, job.posting_id is not None, job)
        case JobsAssigned(worker_id, jobs):
            for job in jobs:
                fields = {"worker_id": worker_id, "assigned_at": job.assigned_at, "run_at": None}
                yield _Change(job.id, job.room, State.ASSIGNED, job.attempt, fields, True, job.posted)
        case JobsMoved(jobs):
            for job in jobs:
                times = {"started_at": job.started_at, "finished_at": job.finished_at}
                known = {name: value for name, value in times.items() if value is not None}
                is_complete = job.started_at is not None
                yield _Change(job.id, job.room, job.state, job.attempt, known, is_complete, job.posting_id is not None)


def _apply(row: JobSummary, change: _Change) -> JobSummary:
    """The job as it was after this change. It may have changed again before it was read."""
    row = row._replace(state=change.state, attempt=change.attempt, **change.fields)
    if change.state not in FINAL:
        row = row._replace(finished_at=None)
    if change.state not in FINAL and change.state != State.RUNNING:
        row = row._replace(started_at=None)
    return row
