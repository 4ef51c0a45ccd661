"""What has happened: announced after the commit of the action that made it happen."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from workroom.store.extensions import Identity
from workroom.store.jobs import Claimed, Moved


@dataclass(frozen=True, slots=True)
class JobsMoved:
    """Jobs have a new state."""

    jobs: tuple[Moved, ...]


@dataclass(frozen=True, slots=True)
class JobsAssigned:
    """A worker got jobs, and is to be told."""

    worker_id: UUID
    jobs: tuple[Claimed, ...]


@dataclass(frozen=True, slots=True)
class CancelRequested:
    """A worker is to stop working on a job."""

    worker_id: UUID
    job_id: UUID
    attempt: int
    room: str | None


@dataclass(frozen=True, slots=True)
class WorkAppeared:
    """Jobs of these extensions wait: whoever fetches jobs by itself may look."""

    extension_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PostingEnded:
    """The last job of a posting has ended."""

    posting_id: UUID
    status: str


@dataclass(frozen=True, slots=True)
class WorkersChanged:
    """Workers came, went or changed."""

    worker_ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class ExtensionsRemoved:
    """Extensions without workers and jobs are no longer offered."""

    extensions: tuple[Identity, ...]


@dataclass(frozen=True, slots=True)
class ExtensionsOffered:
    """Extensions are new, have a new schema, or one worker more."""

    extension_ids: tuple[int, ...]


Event = (
    JobsMoved
    | JobsAssigned
    | CancelRequested
    | WorkAppeared
    | PostingEnded
    | WorkersChanged
    | ExtensionsRemoved
    | ExtensionsOffered
)
