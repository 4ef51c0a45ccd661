"""Messages about workers and the extensions they register."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from workroom.domain.jobs import backoff, breaker
from workroom.domain.jobs.fair_queue import DEFAULT_PRIORITY
from workroom.domain.jobs.resources import MOST_NAMES
from workroom.domain.jobs.worker_loss import OnWorkerLost
from workroom.wire.base import Answer, Request, Scope


class ExtensionOffer(Request):
    """An extension that a worker registers."""

    name: str
    category: str
    schema_: dict[str, Any] = Field(alias="schema", description="JSON schema of the arguments.")
    public: bool = Field(False, description="Visible in all rooms; admins only.")
    builtin: bool = Field(False, description="One of those shipped with the server; admins only.")
    function: bool = Field(
        False,
        description="A function that postings call: category `functions`, schema `{}`. The worker runs postings of "
        "its owner and of its room; a worker of an admin runs all postings.",
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
    resources: dict[str, float] = Field(
        default_factory=dict[str, float],
        max_length=MOST_NAMES,
        description="What a job of it needs of its worker, by name: gpus, memory_gb, cpus, …",
    )


class Registration(Request):
    """Registers a worker, or re-attaches it under its id."""

    room: str | None = None
    extensions: list[ExtensionOffer] = Field(min_length=1, max_length=1_000)
    capacity: int = Field(1, ge=1, le=10_000)
    info: dict[str, Any] = Field(default_factory=dict[str, Any])
    resources: dict[str, float] = Field(
        default_factory=dict[str, float],
        max_length=MOST_NAMES,
        description="What the worker offers to its jobs together, by name.",
    )
    seconds_left: float | None = Field(
        None,
        ge=0,
        le=315_360_000,
        description="Seconds until the worker ends. It gets no job whose time-out is later.",
    )
    worker_id: UUID | None = None
    celery: bool = Field(
        False,
        description="The worker claims the jobs that messages of a Celery broker name, and the server assigns it no "
        "others; admins only.",
    )


class OfferedExtension(Answer):
    scope: Scope
    category: str
    name: str
    schema_hash: str


class WorkerRegistered(Answer):
    """The identity and the timing of a registered worker."""

    worker_id: UUID
    incarnation: int
    worker_token: str
    expires_in: float
    heartbeat_seconds: float
    lease_seconds: float
    extensions: list[OfferedExtension]


class Heartbeat(Answer):
    """A renewed token, so that a worker can run for days."""

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
    """Attempts that a worker ended recently, with a delay of some seconds. A failed attempt counts even if retried."""

    seconds: float = Field(description="The measured time: five minutes, or since the registration.")
    ended: int = Field(description="Attempts that ended in this time.")
    failed: int = Field(description="Failed attempts among them.")
    per_minute: float = Field(description="Ended attempts per minute, on average.")
    slice_seconds: float = Field(description="The length of each slice of `history`.")
    history: list[int] = Field(
        description="Ended attempts in each slice of the last five minutes, the current slice last."
    )


class WorkerInfo(Answer):
    """A worker with its state."""

    id: UUID
    kind: str
    user_id: UUID | None
    user: str | None
    room: str | None
    incarnation: int
    capacity: int
    info: dict[str, Any]
    resources: dict[str, float] = Field(description="What it offers to its jobs together, by name.")
    ends_at: datetime | None = Field(description="When it will end, if it told so.")
    state: Literal["idle", "busy", "draining", "offline", "gone"]
    active_jobs: int
    registered_at: datetime
    lease_until: datetime
    served_at: datetime | None
    gone_at: datetime | None
    gone_reason: str | None
    throughput: Throughput
    extensions: list[WorkerOffer]


class ExtensionDemand(Answer):
    """An extension or function of which jobs wait."""

    scope: Scope
    category: str
    name: str
    resources: dict[str, float] = Field(description="What a job of it needs of its worker, by name.")
    timeout_seconds: float | None
    waiting: int = Field(description="Jobs that could start now, counted up to 1,000.")


class WorkerDemand(Answer):
    items: list[ExtensionDemand]


class Workers(Answer):
    items: list[WorkerInfo]
