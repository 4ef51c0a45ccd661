"""What a backend, which runs the workers of a fleet, must be able to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from workroom.domain.jobs.resources import Resources


class BackendError(Exception):
    """The backend could not carry out a request; the text says why."""


@dataclass(frozen=True, slots=True)
class StartedWorker:
    """A worker that the backend knows. `ending`: it was requested to end, or it ends."""

    id: str
    resources: Resources
    is_waiting: bool = False  # has not begun: it waits for a node
    is_ending: bool = False
    time_limit: float | None = None  # seconds that it may live in all; None: not known


class FleetBackend(Protocol):
    """One place. Every call ends after a bounded time, and raises BackendError with the reason when it fails."""

    def start(self, resources: Resources, *, stays: bool) -> str:
        """Start one worker that offers these resources; its id. One that `stays` does not end when it is idle."""
        ...

    def workers(self) -> list[StartedWorker]:
        """All workers of this fleet, also those that an earlier run of it has started."""
        ...

    def stop(self, worker: StartedWorker) -> None:
        """Let a worker drain and end; one that has not begun ends at once."""
        ...

    def told(self, worker: str) -> str:
        """A name of a worker that has ended, and where its log is."""
        ...

    def is_same(self, worker: StartedWorker, info: dict[str, Any]) -> bool:
        """Whether a worker of the server, with this `info`, is this one."""
        ...
