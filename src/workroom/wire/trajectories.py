"""Messages about trajectories; the frames themselves travel as `wire.frames` has them."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import Field

from workroom.wire.base import Answer
from workroom.wire.locks import LockInfo


class Written(Answer):
    """What a write has come to."""

    length: int = Field(description="How many frames there are now.")
    revision: int
    change_id: UUID
    start: int = Field(description="The first position that is another now.")
    count: int = Field(description="How many frames were put in.")


class Author(Answer):
    id: UUID
    name: str


class FrameChange(Answer):
    """The change that brought a frame."""

    id: UUID
    act: str | None
    label: str | None
    author: Author | None
    job_id: UUID | None
    extension: str | None
    parameters: dict[str, Any] | None
    machine: str | None
    at: datetime | None


class FrameKeyInfo(Answer):
    """An array has `dtype` and `shape`; any other value has `type`."""

    dtype: str | None = Field(None, examples=["<f8"])
    shape: list[int] | None = None
    type: str | None = None


class FrameMetadata(Answer):
    index: int
    length: int
    revision: int
    keys: dict[str, FrameKeyInfo]
    change: FrameChange


class RoomState(Answer):
    """How far a room's data has come."""

    length: int
    step: int
    revision: int
    locks: list[LockInfo]
