"""Rows that the statements of `sql/job` return, and values that several of them take; long because they are many."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from workroom.domain.ids import posting_id as posting_of
from workroom.domain.jobs.job_error import AttemptEnd


class Transition(NamedTuple):
    """A job that changed its state; or several jobs of one posting, then `id` is the posting."""

    id: UUID
    attempt: int
    extension_id: int
    posting_id: UUID | None
    room: str | None
    state: str
    has_dependents: bool  # another job depends on it
    jobs: int = 1
    started_at: datetime | None = None  # set where the statement returns it
    finished_at: datetime | None = None
    cancelling: bool = False  # it was cancelled before its worker started it

    @classmethod
    def one(cls, row: Sequence[Any]) -> Transition:
        """The row of a statement that returns each job separately."""
        return cls(*row)


class CompletedRow(NamedTuple):
    """A row of `job/complete.sql`: jobs, as in `Transition`, or a posting whose jobs are all counted."""

    kind: str  # job or posting
    id: UUID
    attempt: int
    extension_id: int
    posting_id: UUID | None
    room: str | None
    state: str
    has_dependents: bool
    jobs: int
    started_at: datetime | None
    finished_at: datetime | None
    work_waits: bool  # a job waits that the remote worker could take


class InsertedChunk(NamedTuple):
    """What `insert_chunk` did."""

    inserted: int
    ids: list[UUID]  # empty unless requested


class CancelResult(NamedTuple):
    """A job that was cancelled at once, or whose worker must confirm."""

    id: UUID
    attempt: int
    extension_id: int
    posting_id: UUID | None
    room: str | None
    state: str
    has_dependents: bool
    worker_id: UUID | None

    def moved(self) -> Transition:
        return Transition(*self[:7])


class ReleasedJob(NamedTuple):
    """A job that was released from a live worker."""

    id: UUID
    attempt: int
    extension_id: int
    posting_id: UUID | None
    room: str | None
    state: str
    has_dependents: bool
    worker_id: UUID

    def moved(self) -> Transition:
        return Transition(*self[:7])


class RemoteCancelRequest(NamedTuple):
    """A cancelled job at a remote worker."""

    worker_id: UUID
    id: UUID
    attempt: int
    room: str | None


class NewJob(NamedTuple):
    """A job to submit."""

    id: UUID
    extension_id: int
    schema_hash: str
    submitter: UUID
    arguments: str
    room: str | None
    priority: int
    tries: int
    on_worker_lost: str
    retry_of: UUID | None
    idempotency_key: str | None


class Success(NamedTuple):
    """A worker's report of a completed job."""

    id: UUID
    attempt: int
    waited_ms: float | None
    ran_ms: float | None
    result: str


class DirectAssignment(NamedTuple):
    """The worker that a submitted job was assigned to."""

    worker_id: UUID
    created_at: datetime
    assigned_at: datetime


class Submitted(NamedTuple):
    id: UUID
    state: str
    created_at: datetime


class IdempotentMatch(NamedTuple):
    """The job that was submitted with an idempotency key."""

    id: UUID
    state: str
    created_at: datetime
    same: bool  # submitted with the same arguments


class Claimed(NamedTuple):
    """A job as its worker receives it."""

    id: UUID
    attempt: int
    extension_id: int
    posted: bool  # it belongs to a posting
    room: str | None
    tries_left: int
    arguments: Any
    assigned_at: datetime | None = None
    others: bool = False  # another extension that the worker offers has jobs waiting, too
    once: bool = False  # it must not run again once it has started

    @property
    def posting_id(self) -> UUID | None:
        return posting_of(self.id) if self.posted else None


class JobSnapshot(NamedTuple):
    id: UUID
    state: str
    worker_id: UUID | None
    attempt: int
    result: Any
    error: Any


class RetriedJob(NamedTuple):
    """What a retry takes from a job."""

    id: UUID
    extension_id: int
    scope: str
    category: str
    name: str
    room: str | None
    state: str
    priority: int
    tries: int
    on_worker_lost: str
    arguments: Any


class RecordedFailure(NamedTuple):
    """A failed attempt that was followed by another."""

    id: UUID
    attempt: int
    error: Any


class DependencyState(NamedTuple):
    """The state of a dependency of a new job."""

    kind: str  # job or posting
    id: UUID
    state: str  # unfinished, or its final state


class JobRow(NamedTuple):
    """Everything recorded about a job."""

    id: UUID
    extension_id: int
    scope: str
    category: str
    name: str
    room: str | None
    posting_id: UUID | None
    state: str
    priority: int
    turn: int
    attempt: int
    tries: int
    failures: int
    losses: int
    on_worker_lost: str
    submitter: UUID
    submitter_name: str | None
    worker_id: UUID | None
    retry_of: UUID | None
    created_at: datetime
    run_at: datetime | None
    assigned_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    cancel_requested_at: datetime | None
    timeout_seconds: float | None
    arguments: Any
    result: Any
    error: Any
    fraction: float | None
    message: str | None

    @property
    def tries_left(self) -> int:
        return self.tries - self.failures


class JobSummary(NamedTuple):
    """A job without its large fields."""

    id: UUID
    extension_id: int
    scope: str
    category: str
    name: str
    room: str | None
    posting_id: UUID | None
    state: str
    priority: int
    attempt: int
    tries_left: int
    submitter: UUID
    submitter_name: str | None
    worker_id: UUID | None
    retry_of: UUID | None
    created_at: datetime
    run_at: datetime | None
    assigned_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    cancel_requested_at: datetime | None
    fraction: float | None
    message: str | None


class JobListing(NamedTuple):
    """A job in a list, with its arguments and its outcome where they are short."""

    job: JobSummary
    arguments: Any
    result: Any
    error_type: str | None
    error_message: str | None
    worker_name: str | None  # the name of its worker, or of the worker's machine

    @classmethod
    def one(cls, row: Sequence[Any]) -> JobListing:
        return cls(JobSummary._make(row[:-5]), *row[-5:])


class WaitFacts(NamedTuple):
    """The facts that decide what a waiting job, or one of the last unfinished jobs of a posting, waits for."""

    id: UUID  # of the job or the posting
    paused: bool
    state: str
    start_is_later: bool
    workers: int  # online and offering the extension
    workers_closed: int  # of these, with an open breaker
    workers_equipped: int  # of these, with the resources that the extension asks for
    workers_lasting: int  # of the equipped ones, that end after the time-out of a job
    name: str  # of the extension
    resources: dict[str, float] | None
    timeout_seconds: float | None
    scope: str  # of the extension
    offline_since: datetime | None  # the extension
    offered_by: str | None  # the account of its last worker, while it is offline


class DependencyEdge(NamedTuple):
    """A job and what it depends on."""

    job_id: UUID
    needs: UUID  # a job or a posting
    ended_at: datetime | None  # since when the job does not wait for it


class DependencyNode(NamedTuple):
    """A job or a posting in a graph of dependencies."""

    kind: str  # job or posting
    id: UUID
    category: str
    name: str  # of a posting: its label
    room: str | None
    status: str
    created_at: datetime
    finished_at: datetime | None


class LogLine(NamedTuple):
    line: int
    attempt: int
    at: datetime
    text: str


class CancelRequest(NamedTuple):
    """A job at a worker with a cancel request."""

    id: UUID
    attempt: int
    room: str | None


class Overdue(NamedTuple):
    """A job that exceeded its timeout."""

    id: UUID
    worker_id: UUID
    attempt: int
    room: str | None
    timeout_seconds: float


class FailedAttempt(NamedTuple):
    attempt: int
    worker_id: UUID
    reason: AttemptEnd
    error: Any
    assigned_at: datetime
    started_at: datetime | None
    ended_at: datetime


class QueuePositionRow(NamedTuple):
    """The position of a job in its queue."""

    state: str
    paused: bool
    start_is_later: bool
    workers: int
    workers_closed: int
    workers_equipped: int
    workers_lasting: int
    name: str  # of the extension
    resources: dict[str, float] | None  # that the extension asks for
    timeout_seconds: float | None
    scope: str  # of the extension
    offline_since: datetime | None  # the extension
    offered_by: str | None  # the account of its last worker, while it is offline
    slots: int
    run_ms: float | None
    ahead: int
    shares_workers: bool  # one of its workers has a job of another extension, or may be given one that waits
    overrun: bool  # all jobs of its extension that run have taken longer than the mean
