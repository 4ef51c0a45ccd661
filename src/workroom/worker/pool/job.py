"""One job of a pool process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from workroom.domain.ids import posting_id as posting_of
from workroom.domain.values.codec import unpack_call
from workroom.store.queue_tables.job_rows import Claimed
from workroom.worker.function_registry import Function

if TYPE_CHECKING:
    from workroom.worker.pool.profiled_executions import Sample

_NO_RESULT = object()


class PoolJob:
    """A call of a function: its arguments, and after `execute()` its result. `process_job` receives it."""

    __slots__ = (
        "_arguments",
        "_call",
        "_posted",
        "_result",
        "at_most_once",
        "attempt",
        "claimed_at",
        "extension_id",
        "function",
        "id",
        "sample",
        "start_reported",
        "tries_left",
    )

    def __init__(self, job: Claimed, function: Function[..., Any], claimed_at: float) -> None:
        self.id: UUID = job.id
        self.attempt = job.attempt
        self.extension_id = job.extension_id
        self.at_most_once = job.once  # may not run again once it has started, so its start is confirmed first
        self._posted = job.posted
        self.tries_left = job.tries_left  # this attempt included
        self.function = function
        self.claimed_at = claimed_at  # by time.perf_counter
        self.start_reported = False  # set by the database thread: the start was reported on its own
        self.sample: Sample | None = None  # set when this execution is profiled
        self._arguments: dict[str, Any] = job.arguments
        self._call: tuple[tuple[Any, ...], dict[str, Any]] | None = None
        self._result: Any = _NO_RESULT

    @property
    def posting_id(self) -> UUID | None:
        return posting_of(self.id) if self._posted else None

    @property
    def name(self) -> str:
        return self.function.name

    def load(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Restore the arguments; BadInput if one of them cannot be restored here."""
        if self._call is None:
            self._call = unpack_call(self._arguments)
        return self._call

    @property
    def args(self) -> tuple[Any, ...]:
        return self.load()[0]

    @property
    def kwargs(self) -> dict[str, Any]:
        return self.load()[1]

    def execute(self) -> Any:
        """Call the function. What it returns is the job's result, whatever `process_job` returns."""
        args, kwargs = self.load()
        if self.sample is None:
            self._result = self.function.call(*args, **kwargs)
        else:
            self._result = self.sample.profiler.run(self.function.call, args, kwargs)
        return self._result

    def result(self, returned: Any) -> Any:
        """The job's result: that of `execute()`, or `returned` by a `process_job` that did not call it."""
        return returned if self._result is _NO_RESULT else self._result

    def __repr__(self) -> str:
        return f"<{self.name} {self.id}, attempt {self.attempt}>"
