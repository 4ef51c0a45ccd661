"""Events of jobs and postings."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from workroom.store.queue_tables.job_rows import Claimed, JobSummary, Transition


@dataclass(frozen=True, slots=True)
class JobSubmitted:
    """A job was submitted."""

    job: JobSummary


@dataclass(frozen=True, slots=True)
class JobsMoved:
    """Jobs changed their state."""

    jobs: tuple[Transition, ...]


@dataclass(frozen=True, slots=True)
class JobsAssigned:
    """Jobs were assigned to a worker. The server sends them to the worker."""

    worker_id: UUID
    jobs: tuple[Claimed, ...]


@dataclass(frozen=True, slots=True)
class AssignmentsRepeated:
    """A worker that came back holds jobs it has not confirmed. The server sends them to the worker again."""

    worker_id: UUID
    jobs: tuple[Claimed, ...]


@dataclass(frozen=True, slots=True)
class CancelRequested:
    """A job that a worker holds is to be cancelled. The server asks the worker to stop it."""

    worker_id: UUID
    job_id: UUID
    attempt: int
    room: str | None


@dataclass(frozen=True, slots=True)
class WorkAppeared:
    """Jobs of these extensions wait and were not assigned to a remote worker. Pools may claim them."""

    extension_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ProgressMade:
    """A running job reported its progress."""

    job_id: UUID
    attempt: int
    fraction: float | None  # 0 to 1; none when the job reports only a message
    message: str


@dataclass(frozen=True, slots=True)
class LinesLogged:
    """A job printed or logged lines."""

    job_id: UUID
    attempt: int
    first_line: int  # the number of the first of these lines in the log of the job
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PostingChanged:
    """A posting was created, paused, resumed or cancelled."""

    posting_id: UUID


@dataclass(frozen=True, slots=True)
class PostingEnded:
    """The last job of a posting ended."""

    posting_id: UUID
    status: str
