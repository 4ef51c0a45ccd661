"""Responses about trajectories. `wire.frames` is the format of the frames."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import Field

from workroom.wire.base import Answer
from workroom.wire.locks import LockInfo


class Written(Answer):
    """The result of a write to the trajectory."""

    length: int = Field(description="The number of frames after the write.")
    revision: int
    change_id: UUID
    start: int = Field(description="The first changed position.")
    count: int = Field(description="The number of written frames.")


class Author(Answer):
    id: UUID
    name: str


class FrameChange(Answer):
    """The change that wrote a frame."""

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
    """The state of a room."""

    length: int
    step: int
    step_revision: int = Field(description="Raised by one whenever the step is set.")
    revision: int
    locks: list[LockInfo]
