"""Messages about workers and what they offer."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from workroom.domain.jobs import backoff, breaker
from workroom.domain.jobs.fair_queue import DEFAULT_PRIORITY
from workroom.domain.jobs.worker_loss import OnWorkerLost
from workroom.wire.base import Answer, Request, Scope


class ExtensionOffer(Request):
    """An extension, as a worker offers it."""

    name: str
    category: str
    schema_: dict[str, Any] = Field(alias="schema", description="JSON schema of the arguments.")
    public: bool = Field(False, description="Visible in all rooms; admins only.")
    builtin: bool = Field(False, description="One of those shipped with the server; admins only.")
    function: bool = Field(
        False,
        description="A function that postings call: category `functions`, schema `{}`. The worker runs postings of "
        "its owner and of its room; an admin's worker runs everybody's.",
    )
    concurrency: int | None = Field(None, ge=1, le=10_000)
    timeout_seconds: float | None = Field(None, gt=0, le=31_536_000)
    tries: int = Field(1, ge=1, le=100)
    backoff_base: float = Field(backoff.DEFAULT_BASE_SECONDS, ge=0, le=86_400)
    backoff_cap: float = Field(backoff.DEFAULT_CAP_SECONDS, ge=0, le=86_400)
    on_worker_lost: OnWorkerLost = OnWorkerLost.FAIL
    priority: int = Field(DEFAULT_PRIORITY, ge=0, le=10)
    breaker_failures: int = Field(breaker.DEFAULT_FAILURES, ge=0, le=1_000_000)
    breaker_seconds: float = Field(breaker.DEFAULT_SECONDS, ge=0, le=86_400)


class Registration(Request):
    """A worker wants to register, or comes back under its id."""

    room: str | None = None
    extensions: list[ExtensionOffer] = Field(min_length=1, max_length=1_000)
    capacity: int = Field(1, ge=1, le=10_000)
    info: dict[str, Any] = Field(default_factory=dict[str, Any])
    worker_id: UUID | None = None


class OfferedExtension(Answer):
    scope: Scope
    category: str
    name: str
    schema_hash: str


class WorkerRegistered(Answer):
    """What a registered worker is told."""

    worker_id: UUID
    incarnation: int
    worker_token: str
    expires_in: float
    heartbeat_seconds: float
    lease_seconds: float
    extensions: list[OfferedExtension]


class Heartbeat(Answer):
    """A renewed token, so that a worker can live for days."""

    worker_token: str
    expires_in: float


class WorkerOffer(Answer):
    scope: Scope
    category: str
    name: str
    room: str | None
    failures: int
    breaker: Literal["closed", "open", "probing"]


class Throughput(Answer):
    """What a worker ended lately, known within some seconds. A try that failed counts, also when it is repeated."""

    seconds: float = Field(description="How long was looked at: five minutes, or since the worker came.")
    ended: int = Field(description="How many tries ended within these seconds.")
    failed: int = Field(description="How many of them failed.")
    per_minute: float = Field(description="How many ended in a minute, on average.")
    slice_seconds: float = Field(description="How long each slice of `history` is.")
    history: list[int] = Field(
        description="How many ended in each slice of the last five minutes, the present one last."
    )


class WorkerInfo(Answer):
    """A worker, as people see it."""

    id: UUID
    kind: str
    user_id: UUID | None
    user: str | None
    room: str | None
    incarnation: int
    capacity: int
    info: dict[str, Any]
    state: Literal["idle", "busy", "draining", "offline", "gone"]
    active_jobs: int
    registered_at: datetime
    lease_until: datetime
    served_at: datetime | None
    gone_at: datetime | None
    gone_reason: str | None
    throughput: Throughput
    extensions: list[WorkerOffer]


class Workers(Answer):
    items: list[WorkerInfo]
