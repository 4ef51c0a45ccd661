"""A posting in the hands of whoever posted it: how far it is, what came of it, and the levers."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeVar
from uuid import UUID

from workroom.client.portal import background
from workroom.domain import ids
from workroom.domain.errors import JobCancelled, JobFailed, WorkroomError
from workroom.domain.jobs.states import FINAL, State
from workroom.domain.value_codec import unpack, unpack_call
from workroom.worker.postings.backend import (
    BackendTarget,
    FailedJob,
    JobOutcome,
    PostingBackend,
    PostingCounts,
    resolve_backend,
)

T = TypeVar("T")
# Seconds between two queries of the counters: a tenth of the time waited so far, within these bounds.
_SHORTEST_POLL, _LONGEST_POLL = 0.02, 0.25

OnFailed = Literal["raise", "skip", "return"]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many of a posting's jobs stand how."""

    total: int
    completed: int
    failed: int
    cancelled: int

    @property
    def ended(self) -> int:
        return self.completed + self.failed + self.cancelled

    @property
    def remaining(self) -> int:
        return self.total - self.ended


@dataclass(frozen=True, slots=True)
class Failure:
    """A job of a posting that failed for good."""

    job_id: UUID
    position: int
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    type: str
    message: str
    traceback: str
    reason: str  # failed, timeout, worker_lost, dependency_failed
    attempts: int


class AsyncPosting:
    """A posting, on the background loop."""

    def __init__(self, backend: PostingBackend, id: UUID, function: str, posted_at: float | None = None) -> None:
        self._backend = backend
        self.id = id
        self.function = function
        self._ended = False
        self._posted_at = posted_at  # by time.monotonic, where it was posted here: before that it cannot have ended

    @classmethod
    async def of(cls, id: UUID, where: BackendTarget) -> AsyncPosting:
        found = await resolve_backend(where)
        return cls(found, id, (await found.look(id)).name)

    async def fetch(self) -> PostingCounts:
        return await self._backend.look(self.id)

    async def counts(self) -> Counts:
        seen = await self.fetch()
        return Counts(seen.total, seen.completed, seen.failed, seen.cancelled)

    async def status(self) -> str:
        return (await self.fetch()).status

    async def wait(
        self, seconds: float | None = None, on_progress: Callable[[PostingCounts], None] | None = None
    ) -> None:
        """Wait until every job has ended. The notification of its end normally arrives before the next poll is due."""
        began = time.monotonic()
        if self._posted_at is not None and not self._ended:
            # A posting made a moment ago is most likely still at work: wait for its end before the first query.
            pause = _SHORTEST_POLL if seconds is None else min(_SHORTEST_POLL, seconds)
            self._ended = await self._backend.ended(self.id, self._posted_at, pause)
        while not self._ended:
            posting = await self.fetch()
            if on_progress is not None:
                on_progress(posting)
            if posting.status in FINAL:
                self._ended = True
                return
            waited = time.monotonic() - began
            if seconds is not None and waited >= seconds:
                raise TimeoutError(f"The posting is {posting.status} after {seconds:g} s.")
            pause = min(max(waited * 0.1, _SHORTEST_POLL), _LONGEST_POLL)
            pause = pause if seconds is None else min(pause, max(seconds - waited, 0.001))
            notified = await self._backend.ended(self.id, self._posted_at or began, pause)
            # A progress bar that is on the screen needs one more query for its last state.
            self._ended = notified and on_progress is None

    async def outcomes(self, position: int) -> tuple[list[Any], int | None]:
        """The next results from a position on, and where to go on; an error stands for a job that has none."""
        await self.wait()
        found, further = await self._backend.outcomes(self.id, position)
        return [_value(one) for one in found], further

    async def failures(self, position: int = 0) -> tuple[list[Failure], int | None]:
        """The next failures from a position on, and where to go on."""
        found, further = await self._backend.failures(self.id, position)
        return [_failure(one) for one in found], further

    async def pause(self) -> int:
        return await self._backend.pause(self.id)

    async def resume(self) -> int:
        return await self._backend.resume(self.id)

    async def cancel(self) -> int:
        return await self._backend.cancel(self.id)

    async def retry_failed(self) -> AsyncPosting | None:
        posted = await self._backend.retry_failed(self.id)
        return None if posted is None else AsyncPosting(self._backend, posted, self.function)


class Posting:
    """Many calls of one function. Blocking; the methods that end in `_async` are for event loops."""

    def __init__(self, inner: AsyncPosting) -> None:
        self._inner = inner

    @classmethod
    def of(
        cls, id: UUID | str, database: str | None = None, *, url: str | None = None, token: str | None = None
    ) -> Posting:
        """A posting by its id."""
        return cls(_blocking(AsyncPosting.of(UUID(str(id)), BackendTarget.here(database, url, token))))

    @property
    def id(self) -> UUID:
        return self._inner.id

    @property
    def status(self) -> str:
        """executing, paused, completed, failed or cancelled."""
        return _blocking(self._inner.status())

    @property
    def duplicates(self) -> int:
        """How many calls were left out because an unfinished job had the same unique key."""
        return int(getattr(_blocking(self._inner.fetch()), "duplicates", 0))

    def counts(self) -> Counts:
        """How many jobs stand how; from counters, whatever the number of jobs."""
        return _blocking(self._inner.counts())

    def wait(self, timeout: float | None = None, progress: bool | None = None) -> Self:
        """Wait until every job has ended, however it did. On a terminal a bar shows how far it is."""
        with PostingBar(self._inner.function, progress) as bar:
            _blocking(self._inner.wait(timeout, bar.show if bar.is_shown else None))
        return self

    async def wait_async(self) -> Self:
        await _awaiting(self._inner.wait())
        return self

    def results(self, failed: OnFailed = "raise") -> Iterator[Any]:
        """The results in the order of the calls, fetched in pieces, once the posting has ended.

        A job without a result raises its JobFailed or JobCancelled when it is reached; or is left out
        (`failed="skip"`), or has its error in its place (`failed="return"`).
        """
        position: int | None = 0
        while position is not None:
            found, position = _blocking(self._inner.outcomes(position))
            yield from _chosen(found, failed)

    async def results_async(self, failed: OnFailed = "raise") -> AsyncIterator[Any]:
        position: int | None = 0
        while position is not None:
            found, position = await _awaiting(self._inner.outcomes(position))
            for value in _chosen(found, failed):
                yield value

    def failures(self) -> Iterator[Failure]:
        """The jobs that have failed for good so far, in order, fetched in pieces."""
        position: int | None = 0
        while position is not None:
            found, position = _blocking(self._inner.failures(position))
            yield from found

    def pause(self) -> int:
        """Hand out no further job; how many wait until `resume()`. Those that run go on.

        What a pool process holds without having begun it, it gives back as soon as it hears of the pause.
        """
        return _blocking(self._inner.pause())

    def resume(self) -> int:
        """Go on; how many jobs wait in line again."""
        return _blocking(self._inner.resume())

    def cancel(self) -> int:
        """Call off what has not ended; how many were cancelled at once. Jobs that run are stopped by their pool."""
        return _blocking(self._inner.cancel())

    def retry_failed(self) -> Posting | None:
        """Have the failed calls made once more, as a new posting; none when none has failed."""
        posted = _blocking(self._inner.retry_failed())
        return None if posted is None else Posting(posted)

    def __repr__(self) -> str:
        return f"<Posting {self.id} of {self._inner.function}>"


class PostingBar:
    """A progress bar of a posting. `shown=None` shows it on a terminal only.

    It appears with its first update: a posting that ends before the first query of its counters never shows one.
    """

    def __init__(self, name: str, shown: bool | None) -> None:
        self._name = name
        self.is_shown = sys.stderr.isatty() if shown is None else shown
        self._progress: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        return self

    def show(self, posting: PostingCounts) -> None:
        ended = posting.completed + posting.failed + posting.cancelled
        self.update(posting.status, posting.total, ended, failed=posting.failed)

    def update(self, status: str, total: int, ended: int, *, failed: int) -> None:
        if not self.is_shown:
            return
        progress = self._progress or self._start()
        description = f"{self._name} {status}" + (f", {failed:,} failed" if failed else "")
        progress.update(self._task, description=description, total=total, completed=ended)

    def _start(self) -> Any:
        from rich.console import Console
        from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

        columns = [*Progress.get_default_columns()[:-1], MofNCompleteColumn(), TimeRemainingColumn()]
        self._progress = Progress(*columns, console=Console(stderr=True))
        self._progress.start()
        self._task = self._progress.add_task(self._name, total=None)
        return self._progress

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()


def _blocking(coroutine: Coroutine[Any, Any, T]) -> T:
    return background().call(coroutine)


async def _awaiting(coroutine: Coroutine[Any, Any, T]) -> T:
    return await asyncio.wrap_future(background().start(coroutine))


def _chosen(found: list[Any], failed: OnFailed) -> Iterator[Any]:
    for value in found:
        if isinstance(value, WorkroomError):
            if failed == "raise":
                raise value
            if failed == "skip":
                continue
        yield value


def _value(one: JobOutcome) -> Any:
    if one.state == State.COMPLETED:
        return unpack(one.result)
    if one.state == State.CANCELLED:
        return JobCancelled(jobId=str(one.job_id))
    error = one.error or {}
    return JobFailed(f"{error.get('type')}: {error.get('message')}", jobId=str(one.job_id), **error)


def _failure(one: FailedJob) -> Failure:
    args, kwargs = unpack_call(one.arguments)
    return Failure(
        job_id=one.job_id,
        position=ids.position(one.job_id),
        args=args,
        kwargs=kwargs,
        type=str(one.error.get("type", "")),
        message=str(one.error.get("message", "")),
        traceback=str(one.error.get("traceback", "")),
        reason=str(one.error.get("reason") or "failed"),
        attempts=one.attempts,
    )
