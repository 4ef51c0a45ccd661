"""A posting as its caller uses it: its counters, results and failures, and pause, resume, cancel, retry."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, Generic, Literal, Self, TypeVar, overload
from uuid import UUID

from workroom.client.portal import background
from workroom.domain.errors import WorkroomError
from workroom.domain.jobs.states import FINAL
from workroom.domain.jobs.wait_reason import WaitingFor
from workroom.logs import get_logger
from workroom.worker.postings.backend import (
    PAGE,
    BackendTarget,
    PostingBackend,
    PostingCounts,
    resolve_backend,
)
from workroom.worker.postings.call_outcomes import CallOutcome, Counts, Failure, ReturnedCalls, failure_of, value_of
from workroom.worker.postings.progress_bar import PostingBar

T = TypeVar("T")
R = TypeVar("R")
log = get_logger(__name__)

# Seconds between two queries of the counters: a tenth of the time waited so far, within these bounds.
_SHORTEST_POLL, _LONGEST_POLL = 0.02, 0.25
_TELL_SECONDS = 3.0  # after which the reason why no call has ended is logged

OnFailed = Literal["raise", "skip", "return"]


class AsyncPosting:
    """A posting, for use on the background loop."""

    def __init__(self, backend: PostingBackend, id: UUID, function: str, posted_at: float | None = None) -> None:
        self._backend = backend
        self.id = id
        self.function = function
        self._ended = False
        self._told_why = False  # what it waits for was logged
        self._calls_ended = -1  # at the last change of this number
        self._changed_at = 0.0  # by time.monotonic
        self._posted_at = posted_at  # by time.monotonic; None if this process did not post it

    @classmethod
    async def of(cls, id: UUID, target: BackendTarget) -> AsyncPosting:
        backend = await resolve_backend(target)
        return cls(backend, id, (await backend.look(id)).name)

    async def fetch(self) -> PostingCounts:
        return await self._backend.look(self.id)

    async def counts(self) -> Counts:
        posting = await self.fetch()
        return Counts(posting.total, posting.completed, posting.failed, posting.cancelled)

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
            await self._tell_what_it_waits_for(posting)
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

    async def _tell_what_it_waits_for(self, posting: PostingCounts) -> None:
        """Log once why no call of it starts, for example because no pool runs. Asked while no call ends."""
        now, ended = time.monotonic(), _ended(posting)
        if ended != self._calls_ended:
            self._calls_ended, self._changed_at = ended, now
        if self._told_why or now - self._changed_at < _TELL_SECONDS or posting.status in FINAL:
            return
        self._changed_at = now  # ask again after the same time
        reason = await self._backend.wait_reason(self.id)
        if reason.waiting_for is not WaitingFor.NOTHING:
            self._told_why = True
            log.warning("%s waits: %s", self.function, reason.text)

    async def outcomes(self, position: int) -> tuple[list[Any], int | None]:
        """The next results from a position on, and the position after them. A job without a result yields its error."""
        await self.wait()
        outcomes, next_position = await self._backend.outcomes(self.id, position)
        return [value_of(outcome) for outcome in outcomes], next_position

    async def newly_ended(self, seen: ReturnedCalls) -> list[CallOutcome[Any]]:
        """Wait until further calls have ended, and return their outcomes; an empty list when all were returned."""
        began = time.monotonic()
        while True:
            posting = await self.fetch()
            if _ended(posting) > seen.count and (found := await self._scan(seen, _ended(posting) - seen.count)):
                return found
            if posting.status in FINAL:
                return []
            await self._tell_what_it_waits_for(posting)
            pause = min(max((time.monotonic() - began) * 0.1, _SHORTEST_POLL), _LONGEST_POLL)
            await self._backend.ended(self.id, self._posted_at or began, pause)

    async def _scan(self, seen: ReturnedCalls, wanted: int) -> list[CallOutcome[Any]]:
        """The outcomes of up to about this number of calls that were not returned.

        Calls that were looked at before and had not ended come first, then those behind all that were looked at.
        """
        found: list[CallOutcome[Any]] = []
        for start, stop in [*seen.open_ranges(), (seen.front, None)]:
            position: int | None = start
            while position is not None and (stop is None or position < stop) and len(found) < wanted:
                first, limit = position, PAGE if stop is None else min(stop - position, PAGE)
                outcomes, position = await self._backend.outcomes(self.id, first, limit)
                found += seen.take(outcomes, first, position)
        return found

    async def failures(self, position: int = 0) -> tuple[list[Failure], int | None]:
        """The next failures from a position on, and the position after them."""
        failed, next_position = await self._backend.failures(self.id, position)
        return [failure_of(job) for job in failed], next_position

    async def pause(self) -> int:
        return await self._backend.pause(self.id)

    async def resume(self) -> int:
        return await self._backend.resume(self.id)

    async def cancel(self) -> int:
        return await self._backend.cancel(self.id)

    async def retry_failed(self) -> AsyncPosting | None:
        posted = await self._backend.retry_failed(self.id)
        return None if posted is None else AsyncPosting(self._backend, posted, self.function)


class Posting(Generic[R]):
    """Many calls of one function. The methods block; those that end in `_async` are for event loops.

    Iterating over it yields the results, as `results()` does.
    """

    def __init__(self, inner: AsyncPosting) -> None:
        self._inner = inner

    @classmethod
    def of(
        cls, id: UUID | str, database: str | None = None, *, url: str | None = None, token: str | None = None
    ) -> Posting[Any]:
        """A posting by its id."""
        return Posting(_blocking(AsyncPosting.of(UUID(str(id)), BackendTarget.here(database, url, token))))

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
        """How many jobs are in which state. Read from counters, so the number of jobs does not matter."""
        return _blocking(self._inner.counts())

    def wait(self, timeout: float | None = None, progress: bool | None = None) -> Self:
        """Wait until every job has completed, failed or been cancelled. On a terminal a progress bar is shown."""
        with PostingBar(self._inner.function, progress) as bar:
            _blocking(self._inner.wait(timeout, bar.show if bar.is_shown else None))
        return self

    async def wait_async(self) -> Self:
        await _awaiting(self._inner.wait())
        return self

    def __iter__(self) -> Iterator[R]:
        return self.results()

    @overload
    def results(self, failed: Literal["raise", "skip"] = "raise", *, ordered: bool = True) -> Iterator[R]: ...
    @overload
    def results(self, failed: Literal["return"], *, ordered: bool = True) -> Iterator[R | WorkroomError]: ...
    def results(self, failed: OnFailed = "raise", *, ordered: bool = True) -> Iterator[Any]:
        """Wait for the posting to end, then yield the results in the order of the calls, fetched in pages.

        With `ordered=False` each result is yielded soon after its call has ended, in that order.
        A job without a result raises its JobFailed or JobCancelled when it is reached; or is left out
        (`failed="skip"`), or has its error in its place (`failed="return"`).
        """
        if not ordered:
            for outcome in self.as_completed():
                yield from _select([outcome.value], failed)
            return
        position: int | None = 0
        while position is not None:
            values, position = _blocking(self._inner.outcomes(position))
            yield from _select(values, failed)

    def as_completed(self) -> Iterator[CallOutcome[R]]:
        """Yield the outcome of each call soon after it has ended, failed ones too, while others still run."""
        seen = ReturnedCalls()
        while outcomes := _blocking(self._inner.newly_ended(seen)):
            yield from outcomes

    async def as_completed_async(self) -> AsyncIterator[CallOutcome[R]]:
        seen = ReturnedCalls()
        while outcomes := await _awaiting(self._inner.newly_ended(seen)):
            for outcome in outcomes:
                yield outcome

    async def results_async(self, failed: OnFailed = "raise", *, ordered: bool = True) -> AsyncIterator[R]:
        if not ordered:
            async for outcome in self.as_completed_async():
                for value in _select([outcome.value], failed):
                    yield value
            return
        position: int | None = 0
        while position is not None:
            values, position = await _awaiting(self._inner.outcomes(position))
            for value in _select(values, failed):
                yield value

    def failures(self) -> Iterator[Failure]:
        """The jobs that have failed so far and are not tried again, in order, fetched in pages."""
        position: int | None = 0
        while position is not None:
            failures, position = _blocking(self._inner.failures(position))
            yield from failures

    def pause(self) -> int:
        """Start no further job until `resume()`; returns how many wait. Running jobs go on.

        A pool process releases the jobs that it holds but has not started within about a second.
        """
        return _blocking(self._inner.pause())

    def resume(self) -> int:
        """Let the jobs start again; returns how many are queued."""
        return _blocking(self._inner.resume())

    def cancel(self) -> int:
        """Cancel the jobs that have not ended; returns how many were cancelled at once. Pools stop running ones."""
        return _blocking(self._inner.cancel())

    def retry_failed(self) -> Posting[R] | None:
        """Post the failed calls again as a new posting; None when none has failed."""
        posted = _blocking(self._inner.retry_failed())
        return None if posted is None else Posting(posted)

    def __repr__(self) -> str:
        return f"<Posting {self.id} of {self._inner.function}>"


def _ended(posting: PostingCounts) -> int:
    return posting.completed + posting.failed + posting.cancelled


def _blocking(coroutine: Coroutine[Any, Any, T]) -> T:
    return background().call(coroutine)


async def _awaiting(coroutine: Coroutine[Any, Any, T]) -> T:
    return await asyncio.wrap_future(background().start(coroutine))


def _select(values: list[Any], failed: OnFailed) -> Iterator[Any]:
    for value in values:
        if isinstance(value, WorkroomError):
            if failed == "raise":
                raise value
            if failed == "skip":
                continue
        yield value
