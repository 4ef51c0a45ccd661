"""Messages for whoever keeps the house."""

from __future__ import annotations

from pydantic import Field

from workroom.wire.base import Answer, Scope

SettingValue = bool | int | float | str | list[str] | None


class Queue(Answer):
    """The queue of one extension or posted function."""

    scope: Scope = Field(description="function, or where the extension is visible: room, global, builtin.")
    room: str | None
    category: str
    name: str
    paused: bool
    idle_workers: int
    busy_workers: int
    blocked_jobs: int
    pending_jobs: int
    active_jobs: int
    completed_jobs: int
    failed_jobs: int
    cancelled_jobs: int
    mean_run_ms: float | None


class Queues(Answer):
    """All queues, the fullest first, and the house in numbers."""

    jobs: dict[str, int] = Field(description="By state; ended ones ever.")
    workers: dict[str, int] = Field(description="Online, by kind.")
    items: list[Queue]


class Setting(Answer):
    name: str
    value: SettingValue = Field(description="`set` for a secret that is set.")
    meaning: str


class SettingsShown(Answer):
    items: list[Setting]
