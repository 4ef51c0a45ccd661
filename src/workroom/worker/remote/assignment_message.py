"""The message with which the server assigns a job to a worker."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from workroom.wire.base import Answer


class Assignment(Answer):
    """One attempt at one job: the body of `job:assigned`."""

    job_id: UUID
    attempt: int
    room: str | None
    scope: str
    category: str
    name: str
    data: dict[str, Any]
    job_token: str
    timeout_seconds: float | None = None

    @property
    def key(self) -> tuple[UUID, int]:
        return self.job_id, self.attempt

    def __str__(self) -> str:
        return f"{self.category}/{self.name} ({self.job_id}, attempt {self.attempt})"
