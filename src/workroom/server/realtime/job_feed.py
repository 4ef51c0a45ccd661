"""Sends `job:state_changed` to rooms: one message for all changes of a job that are known by then.

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

    def send_from_cache(self, events: Sequence[JobEvent]) -> bool:
        """Send the changes at once, if no job has to be read from the database. Returns whether it did."""
        changes = self._visible(events)
        if self._missing(changes):
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
        self._send(changes)

    def _visible(self, events: Sequence[JobEvent]) -> list[_Change]:
        """The changes of jobs in rooms that may have members."""
        changes = (change for event in events for change in _changes(event))
        return [change for change in changes if change.room and self._hub.may_have_members(hub.room(change.room))]

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
            if row.room is not None:
                self._hub.emit("job:state_changed", job_serializers.job_event(row), hub.room(row.room))
        if not self._caches:
            self._cache.clear()


class _Change(NamedTuple):
    """What an event says about one job."""

    id: UUID
    room: str | None
    state: str
    attempt: int
    fields: dict[str, Any]  # other columns that changed
    is_complete: bool  # no column has changed that is not in `fields`
    summary: JobSummary | None = None  # the whole job, if the event has it


def _changes(event: JobEvent) -> Iterator[_Change]:
    match event:
        case JobSubmitted(job):
            yield _Change(job.id, job.room, job.state, 0, {}, True, job)
        case JobsAssigned(worker_id, jobs):
            for job in jobs:
                fields = {"worker_id": worker_id, "assigned_at": job.assigned_at, "run_at": None}
                yield _Change(job.id, job.room, State.ASSIGNED, job.attempt, fields, True)
        case JobsMoved(jobs):
            for job in jobs:
                times = {"started_at": job.started_at, "finished_at": job.finished_at}
                known = {name: value for name, value in times.items() if value is not None}
                yield _Change(job.id, job.room, job.state, job.attempt, known, job.started_at is not None)


def _apply(row: JobSummary, change: _Change) -> JobSummary:
    """The job as it was after this change. It may have changed again before it was read."""
    row = row._replace(state=change.state, attempt=change.attempt, **change.fields)
    if change.state not in FINAL:
        row = row._replace(finished_at=None)
    if change.state not in FINAL and change.state != State.RUNNING:
        row = row._replace(started_at=None)
    return row
