"""Messages about a server: queues and settings, for admins, and its health."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from workroom.wire.base import Answer, Request, Scope, Text

SettingValue = bool | int | float | str | list[str] | None


class Queue(Answer):
    """The queue of one extension or posted function."""

    scope: Scope = Field(description="function, or where the extension is visible: room, global, builtin.")
    room: str | None
    category: str
    name: str
    paused: bool
    concurrency: int | None = Field(
        description="How many jobs one worker takes at once; null: as many as it has slots."
    )
    priority: int = Field(description="Of jobs that are submitted without one.")
    adjusted: bool = Field(description="An admin has changed concurrency or priority.")
    breakers_open: int = Field(description="Workers that failed too often in a row and get no job, or one to probe.")
    idle_workers: int
    busy_workers: int
    blocked_jobs: int
    pending_jobs: int
    active_jobs: int
    completed_jobs: int
    failed_jobs: int
    cancelled_jobs: int
    mean_run_ms: float | None


class QueueName(Request):
    """Names the queue of an extension, or of a posted function (category `functions`)."""

    category: Text = Field(max_length=50)
    name: Text = Field(max_length=200)
    room: Text | None = Field(default=None, max_length=100, description="The room, for an extension of one room.")
    scope: Scope | None = Field(default=None, description="Default: the extension that the room sees.")


class QueueAdjustment(QueueName):
    """What to change of a queue; what is omitted stays."""

    concurrency: int | None = Field(
        default=None, ge=0, le=10_000, description="How many jobs one worker takes at once; 0: as many as it has slots."
    )
    priority: int | None = Field(default=None, ge=0, le=10, description="Of jobs that are submitted without one.")
    as_registered: bool = Field(
        default=False, description="The next worker that registers sets concurrency and priority again."
    )


class QueueAdjusted(Answer):
    """A queue after its concurrency or priority was changed."""

    scope: Scope
    room: str | None
    category: str
    name: str
    concurrency: int | None
    priority: int
    adjusted: bool


class BreakersClosed(Answer):
    workers: int = Field(description="Workers that had failures in a row, which are forgotten.")


class QueuePaused(Answer):
    """A queue after it was paused or resumed."""

    scope: Scope
    room: str | None
    category: str
    name: str
    paused: bool
    changed: bool = Field(description="False: it was so before.")


class Queues(Answer):
    """All queues, the longest first, and totals of the server."""

    jobs: dict[str, int] = Field(description="By state. Ended jobs include deleted ones.")
    workers: dict[str, int] = Field(description="Online, by kind.")
    items: list[Queue]


class Setting(Answer):
    name: str
    value: SettingValue = Field(description="`set` for a secret that is set.")
    meaning: str


class SettingsList(Answer):
    items: list[Setting]


class Health(Answer):
    """The process answers requests."""

    status: Literal["ok"] = "ok"
    version: str


class Readiness(Answer):
    """The process answers requests, and its database answers and can write."""

    status: Literal["ready"] = "ready"
