"""Requests by socket, with the same bodies and rules as the REST routes."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from pydantic import Field

from workroom.wire.base import Request
from workroom.wire.locks import Client


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
