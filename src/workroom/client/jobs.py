"""Jobs somebody has submitted or found."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from workroom.client.net.event_stream import RECONNECTED
from workroom.domain.errors import JobCancelled, JobFailed
from workroom.domain.jobs.states import FINAL, State
from workroom.wire.jobs import Accepted, JobBrief, JobDetail, JobError, LogLine, LogLines, Progress

if TYPE_CHECKING:
    from workroom.client.room import AsyncRoom

Brief = TypeVar("Brief", bound=JobBrief)
STORED = "stored"  # the values of a settings extension: kept, and no job
Told = Callable[[JobBrief], None]


class AsyncJobHandle:
    """A job. Awaiting it waits for its end and gives its result."""

    def __init__(self, room: AsyncRoom, known: Accepted | JobBrief) -> None:
        self._room = room
        self._id = known.job_id
        self.last_status: str = known.status  # as we last heard; `refresh` asks
        self.name = known.name if isinstance(known, JobBrief) else ""

    @property
    def id(self) -> UUID:
        if self._id is None:
            raise LookupError("The values of a settings extension are stored at once: there is no job.")
        return self._id

    @property
    def is_done(self) -> bool:
        return self.last_status == STORED or self.last_status in FINAL

    async def refresh(self) -> JobDetail:
        """Everything recorded about the job, now."""
        return self._heard(JobDetail.model_validate(await self._room.access.get(f"/api/jobs/{self.id}")))

    async def wait(self, timeout: float | None = None, *, told: Told | None = None) -> AsyncJobHandle:  # noqa: ASYNC109
        """Wait until the job has ended, however it did; TimeoutError if that takes too long.

        `told` hears of every change on the way.
        """
        if self.last_status != STORED:
            async with asyncio.timeout(timeout):
                await self._followed_to_its_end(told or _ignore)
        return self

    async def result(self, timeout: float | None = None) -> Any:  # noqa: ASYNC109
        """What the job returned, once it has ended; raises JobFailed or JobCancelled when it did not end well."""
        if self.last_status == STORED:
            return None
        await self.wait(timeout)
        return result_of(await self.refresh())

    async def logs(self, after: int = 0) -> list[LogLine]:
        """The lines the job has printed."""
        answer = await self._room.access.get(f"/api/jobs/{self.id}/logs", after=after)
        return LogLines.model_validate(answer).items

    async def cancel(self) -> str:
        """Call the job off. One that runs is told so, and ends when it notices: `wait` for that."""
        answer = await self._room.access.delete(f"/api/jobs/{self.id}")
        self.last_status = str(answer["status"])
        return self.last_status

    async def retry(self) -> AsyncJobHandle:
        """Run an ended job once more, as a new one."""
        answer = await self._room.access.post(f"/api/jobs/{self.id}/retry")
        return AsyncJobHandle(self._room, Accepted.model_validate(answer))

    def __await__(self) -> Generator[Any, Any, Any]:
        return self.result().__await__()

    def __repr__(self) -> str:
        return f"<job {self._id} {self.name or ''} {self.last_status}>".replace("  ", " ")

    async def _followed_to_its_end(self, told: Told) -> None:
        async with self._news() as news:
            told(await self.refresh())
            while not self.is_done:
                heard = await news.get()
                told(await self.refresh() if heard is None else self._heard(heard))

    @asynccontextmanager
    async def _news(self) -> AsyncGenerator[asyncio.Queue[JobBrief | None]]:
        """What is heard of this job; None when something may have been missed."""
        news: asyncio.Queue[JobBrief | None] = asyncio.Queue()
        latest: list[JobBrief] = []

        def moved(body: dict[str, Any]) -> None:
            if body["jobId"] == str(self.id):
                latest[:] = [JobBrief.model_validate(body)]
                news.put_nowait(latest[0])

        def progressed(body: dict[str, Any]) -> None:
            if body["jobId"] == str(self.id) and latest:
                progress = Progress(fraction=body["fraction"], message=body["message"])
                news.put_nowait(latest[0].model_copy(update={"progress": progress}))

        live = self._room.live
        with ExitStack() as stack:
            stack.enter_context(live.listening("job:state_changed", moved))
            stack.enter_context(live.listening("job:progress", progressed))
            stack.enter_context(live.listening(RECONNECTED, lambda _: news.put_nowait(None)))
            await live.join(self._room.name)
            yield news

    def _heard(self, brief: Brief) -> Brief:
        self.last_status, self.name = brief.status, brief.name
        return brief


def result_of(job: JobDetail) -> Any:
    """A finished job's result; raises when it did not end well."""
    match job.status:
        case State.COMPLETED:
            return job.result
        case State.CANCELLED:
            raise JobCancelled(f"{job.name} was called off.", jobId=str(job.job_id))
        case _:
            raise failure_of(job, job.error or JobError())


def failure_of(job: JobDetail, error: JobError) -> JobFailed:
    message = f"{job.name} failed: {error.type}: {error.message}"
    if error.traceback:
        message += f"\n\nThe traceback of the job:\n{error.traceback}"
    return JobFailed(
        message,
        jobId=str(job.job_id),
        type=error.type,
        message=error.message,
        traceback=error.traceback,
        reason=error.reason,
    )


def _ignore(_: JobBrief) -> None:
    pass
