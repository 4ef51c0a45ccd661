"""What a worker has to say about a job, as values.

Each may carry how long the job waited at the worker and how long it ran, measured in milliseconds. A report that says
how long the job ran also stands for its start: short jobs are reported once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID


@dataclass(slots=True)
class Started:
    """The job runs."""


@dataclass(slots=True)
class Succeeded:
    """The job ended well."""

    result: Any = None


@dataclass(slots=True)
class Failed:
    """The job ended badly: {type, message, traceback}. Tried again where tries are left."""

    error: dict[str, Any]


@dataclass(slots=True)
class Cancelled:
    """The job was called off, and has stopped."""


Outcome = Started | Succeeded | Failed | Cancelled


class Report(NamedTuple):
    """One worker's word on one attempt at a job."""

    job_id: UUID
    attempt: int
    outcome: Outcome
    waited_ms: float | None = None  # from assignment to start
    ran_ms: float | None = None  # from start to end
