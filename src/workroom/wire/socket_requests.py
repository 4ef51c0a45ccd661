"""Requests by socket, with the same bodies and rules as the REST routes; cameras have none there."""

from __future__ import annotations

import math
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, Field, Strict

from workroom.wire.base import Request
from workroom.wire.forms.choices import Choice
from workroom.wire.locks import Client

_Coordinate = Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False)]
_Part = Annotated[float, Field(ge=-1.01, le=1.01, allow_inf_nan=False)]
_Turn = tuple[_Part, _Part, _Part, _Part]


class LeaveRoom(Request):
    room: str = Field(max_length=200)


class JoinRoom(LeaveRoom):
    client: Client | None = None


class SendChat(Request):
    room: str = Field(max_length=200)
    text: str


class JobStatus(Request):
    job_id: UUID
    attempt: int = Field(ge=0, le=2_147_483_647)
    status: str
    worker_id: UUID | None = None
    result: Any = None
    error: Any = None
    confirm: bool = False  # the worker waits for the acknowledgement


class AnswerChoices(Request):
    id: UUID
    choices: list[Choice] | None = Field(None, max_length=1_000)
    error: str = Field("", max_length=2_000)


class ClaimJob(Request):
    job_id: UUID
    attempt: int = Field(ge=1, le=2_147_483_647)


class JobProgress(Request):
    job_id: UUID
    attempt: int = Field(ge=0, le=2_147_483_647)
    worker_id: UUID | None = None
    fraction: float | None = Field(None, ge=0, le=1)
    message: str = Field("", max_length=10_000)


class JobLog(Request):
    job_id: UUID
    attempt: int = Field(ge=0, le=2_147_483_647)
    worker_id: UUID | None = None
    lines: list[str] = Field(max_length=10_000)


def _check_rotation(turn: _Turn) -> _Turn:
    if abs(math.hypot(*turn) - 1) > 0.01:
        raise ValueError("a rotation is a quaternion x, y, z, w of length 1")
    return turn


class FollowCamera(Request):
    room: str = Field(max_length=200)
    user: UUID | None = Field(description="Whom the socket follows from now on; null: no one.")
    again: bool = Field(False, description="The socket follows this person already, and still does.")


class MoveCamera(Request):
    """Where a person looks from, and at which frame."""

    room: str = Field(max_length=200)
    target: tuple[_Coordinate, _Coordinate, _Coordinate] = Field(description="The point in the middle, in Å.")
    turn: Annotated[_Turn, AfterValidator(_check_rotation)] = Field(description="The rotation as a quaternion.")
    distance: float = Field(gt=0, le=1e7, allow_inf_nan=False, description="From the camera to the target, in Å.")
    flat: bool = Field(description="Whether the view is orthographic.")
    field: float = Field(ge=1, le=170, allow_inf_nan=False, description="The angle of view, in degrees.")
    step: Annotated[int, Strict(), Field(ge=0, le=2_147_483_647, description="The frame.")]
