"""Events of rooms: their members, content, locks and chat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.domain.rooms.items import Kind
from workroom.store.room_tables.chat import ChatRow
from workroom.store.room_tables.locks import LockRow


@dataclass(frozen=True, slots=True)
class RoomChanged:
    """A room was created, or its description, visibility or locked flag changed."""

    room: str


@dataclass(frozen=True, slots=True)
class RoomDeleted:
    """A room and everything in it were deleted."""

    room: str


@dataclass(frozen=True, slots=True)
class MembersChanged:
    """The rights of these accounts in a room changed. No accounts: the rights of all non-members changed."""

    room: str
    account_ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class ChangeMade:
    """A change was written to a room."""

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
    """Frames of a room's trajectory were added, removed, replaced or reordered."""

    room: str
    change_id: UUID
    revision: int
    length: int
    splices: tuple[tuple[int, int, int], ...]  # start, number of frames removed, number of frames added
    step: int  # of the room, after the change
    step_revision: int


@dataclass(frozen=True, slots=True)
class ItemsChanged:
    """Items of a room were set or removed."""

    room: str
    kind: Kind
    keys: tuple[str, ...]
    revision: int
    by: UUID
    values: Mapping[str, Any] | None = None  # only for a single small item that was set


@dataclass(frozen=True, slots=True)
class StepSet:
    """The step of a room, the frame that all viewers show, was set."""

    room: str
    step: int
    step_revision: int
    by: UUID
    name: str


@dataclass(frozen=True, slots=True)
class LockHeld:
    """A lock was acquired or refreshed, or its message changed."""

    lock: LockRow


@dataclass(frozen=True, slots=True)
class LockFreed:
    """A lock was released, expired, or was removed because its holder disconnected."""

    room: str
    target: str


@dataclass(frozen=True, slots=True)
class ChatPosted:
    """Chat messages were posted or edited."""

    messages: tuple[ChatRow, ...]


@dataclass(frozen=True, slots=True)
class ChatDeleted:
    """A chat message was deleted."""

    room: str
    message_id: UUID


@dataclass(frozen=True, slots=True)
class PresetsChanged:
    """A preset of a form was saved or deleted."""

    room: str
    category: str
    extension: str
