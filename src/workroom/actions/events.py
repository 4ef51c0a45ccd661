"""What has happened: announced after the commit of the action that made it happen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.domain.rooms.items import Kind
from workroom.store.queue_tables.extensions import Identity
from workroom.store.queue_tables.job_rows import Claimed, JobSummary, Transition
from workroom.store.room_tables.chat import ChatRow
from workroom.store.room_tables.locks import LockRow


@dataclass(frozen=True, slots=True)
class JobsMoved:
    """Jobs have a new state."""

    jobs: tuple[Transition, ...]


@dataclass(frozen=True, slots=True)
class JobSubmitted:
    """A job has come into the world."""

    job: JobSummary


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
class WorkerFreed:
    """A worker has a free slot, and nothing was found for it."""

    worker_id: UUID


@dataclass(frozen=True, slots=True)
class PostingChanged:
    """A posting was made, paused, resumed or called off."""

    posting_id: UUID


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


@dataclass(frozen=True, slots=True)
class ChatPosted:
    """Something was said in a room."""

    messages: tuple[ChatRow, ...]


@dataclass(frozen=True, slots=True)
class ProgressMade:
    """A job has told how far it is."""

    job_id: UUID
    attempt: int
    fraction: float | None
    message: str


@dataclass(frozen=True, slots=True)
class LinesLogged:
    """A job has printed or logged something."""

    job_id: UUID
    attempt: int
    first_line: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SettingsStored:
    """A person's settings in a room have changed."""

    room: str
    account_id: UUID
    name: str


@dataclass(frozen=True, slots=True)
class AccountRevoked:
    """An account's tokens have ended: whoever is connected with one is to be disconnected."""

    account_id: UUID


@dataclass(frozen=True, slots=True)
class RoomChanged:
    """A room was made, described anew, opened, closed, locked or unlocked."""

    room: str


@dataclass(frozen=True, slots=True)
class RoomDeleted:
    """A room is gone with everything in it."""

    room: str


@dataclass(frozen=True, slots=True)
class MembersChanged:
    """These accounts have other rights in a room than before; none named: everybody who is no member."""

    room: str
    account_ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class ChangeMade:
    """Something was written in a room."""

    room: str
    change_id: UUID
    revision: int
    act: str
    label: str
    author: UUID
    job_id: UUID | None
    undo_of: UUID | None
    at: datetime


@dataclass(frozen=True, slots=True)
class FramesChanged:
    """The trajectory of a room is another."""

    room: str
    change_id: UUID
    revision: int
    length: int
    splices: tuple[tuple[int, int, int], ...]  # start, how many were taken out, how many put in


@dataclass(frozen=True, slots=True)
class LockHeld:
    """A lock was taken, kept, or has a new message."""

    lock: LockRow


@dataclass(frozen=True, slots=True)
class LockFreed:
    """A lock was given back, has expired, or its holder is gone."""

    room: str
    target: str


@dataclass(frozen=True, slots=True)
class ItemsChanged:
    """Items of a room's scene were set or removed."""

    room: str
    kind: Kind
    keys: tuple[str, ...]
    revision: int
    by: UUID
    values: Mapping[str, Any] | None = None  # of a single small item that was set


@dataclass(frozen=True, slots=True)
class StepSet:
    """Everybody is to look at another frame."""

    room: str
    step: int
    by: UUID
    name: str


@dataclass(frozen=True, slots=True)
class ChatDeleted:
    """Something that was said is taken back."""

    room: str
    message_id: UUID


Event = (
    JobsMoved
    | JobSubmitted
    | AccountRevoked
    | RoomChanged
    | RoomDeleted
    | MembersChanged
    | ChatPosted
    | ChangeMade
    | FramesChanged
    | LockHeld
    | LockFreed
    | ItemsChanged
    | StepSet
    | ChatDeleted
    | ProgressMade
    | LinesLogged
    | SettingsStored
    | JobsAssigned
    | CancelRequested
    | WorkAppeared
    | WorkerFreed
    | PostingChanged
    | PostingEnded
    | WorkersChanged
    | ExtensionsRemoved
    | ExtensionsOffered
)
