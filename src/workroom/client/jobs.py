"""Handles of jobs: wait for the end, get the result or the logs, cancel, retry."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import ExitStack, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any
from uuid import UUID

from workroom.client.net.event_stream import RECONNECTED
from workroom.domain.errors import JobCancelled, JobFailed, ServerUnreachable
from workroom.domain.jobs.states import FINAL, State
from workroom.domain.values.codec import unpack
from workroom.wire.jobs import Accepted, JobBrief, JobDetail, JobError, LogLine, LogLines, Progress

if TYPE_CHECKING:
    from workroom.client.async_room import AsyncRoom

STORED = "stored"  # status of a settings extension: its values are saved, no job is created
ProgressListener = Callable[[JobBrief], None]


class AsyncJobHandle:
    """A job. Awaiting it waits for its end and returns its result."""

    def __init__(self, room: AsyncRoom, known: Accepted | JobBrief) -> None:
        self._room = room
        self._id = known.job_id
        self.last_status: str = known.status  # as of the last response or event; `refresh` fetches it
        self.name = known.name if isinstance(known, JobBrief) else ""
        self._changes = 0  # how often a response or event has set the status

    @property
    def id(self) -> UUID:
        if self._id is None:
            raise LookupError("The values of a settings extension are stored immediately: there is no job.")
        return self._id

    @property
    def is_done(self) -> bool:
        return self.last_status == STORED or self.last_status in FINAL

    async def refresh(self) -> JobDetail:
        """Fetch the job with all its details."""
        known = self._changes
        answer = JobDetail.model_validate(await self._room.access.get(f"/api/jobs/{self.id}"))
        self.name = answer.name
        self._set_status(answer.status, known)
        return answer

    async def wait(self, timeout: float | None = None, *, on_change: ProgressListener | None = None) -> AsyncJobHandle:  # noqa: ASYNC109
        """Wait until the job has ended, whatever its outcome; TimeoutError after `timeout` seconds.

        `on_change` is called for every change of the job until then.
        """
        if self.last_status != STORED:
            async with asyncio.timeout(timeout):
                await self._follow(on_change or _ignore)
        return self

    async def result(self, timeout: float | None = None) -> Any:  # noqa: ASYNC109
        """Wait for the end and return the job's result; raises JobFailed or JobCancelled."""
        if self.last_status == STORED:
            return None
        await self.wait(timeout)
        return result_of(await self.refresh())

    async def logs(self, after: int = 0) -> list[LogLine]:
        """The log lines of the job, after the line number `after`."""
        answer = await self._room.access.get(f"/api/jobs/{self.id}/logs", after=after)
        return LogLines.model_validate(answer).items

    async def cancel(self) -> str:
        """Cancel the job. The worker of a running job is notified and stops it: use `wait` to wait for that."""
        known = self._changes
        answer = await self._room.access.delete(f"/api/jobs/{self.id}")
        self._set_status(str(answer["status"]), known)
        return self.last_status

    async def retry(self) -> AsyncJobHandle:
        """Run an ended job again, as a new job."""
        answer = await self._room.access.post(f"/api/jobs/{self.id}/retry")
        return AsyncJobHandle(self._room, Accepted.model_validate(answer))

    def __await__(self) -> Generator[Any, Any, Any]:
        return self.result().__await__()

    def __repr__(self) -> str:
        return f"<job {self._id} {self.name or ''} {self.last_status}>".replace("  ", " ")

    async def _follow(self, on_change: ProgressListener) -> None:
        async with self._events() as events:
            on_change(await self.refresh())
            while not self.is_done:
                brief = await events.get()
                if brief is not None:
                    on_change(self._record(brief))
                    continue
                with suppress(ServerUnreachable):  # a later attempt to connect, or an event, comes here again
                    on_change(await self.refresh())

    @asynccontextmanager
    async def _events(self) -> AsyncGenerator[asyncio.Queue[JobBrief | None]]:
        """A queue of this job's events; None means that events may have been missed."""
        events: asyncio.Queue[JobBrief | None] = asyncio.Queue()
        latest: list[JobBrief] = []

        def on_state(body: dict[str, Any]) -> None:
            if body["jobId"] == str(self.id):
                latest[:] = [JobBrief.model_validate(body)]
                events.put_nowait(latest[0])

        def on_progress(body: dict[str, Any]) -> None:
            if body["jobId"] == str(self.id) and latest:
                progress = Progress(fraction=body["fraction"], message=body["message"])
                events.put_nowait(latest[0].model_copy(update={"progress": progress}))

        live = self._room.live
        with ExitStack() as stack:
            stack.enter_context(live.subscribed("job:state_changed", on_state))
            stack.enter_context(live.subscribed("job:progress", on_progress))
            stack.enter_context(live.subscribed(RECONNECTED, lambda _: events.put_nowait(None)))
            await live.join(self._room.name)
            yield events

    def _record(self, brief: JobBrief) -> JobBrief:
        """Keep the state that an event carries."""
        self.name = brief.name
        self._set_status(brief.status, self._changes)
        return brief

    def _set_status(self, status: str, known: int) -> None:
        """Set the status that was asked for when there were `known` changes.

        The end of a job is final. Any other status in a response may be older than an event that arrived while the
        response was awaited, and is then dropped.
        """
        if self.is_done or (status not in FINAL and self._changes != known):
            return
        self.last_status = status
        self._changes += 1


def result_of(job: JobDetail) -> Any:
    """The result of an ended job; raises JobCancelled or JobFailed."""
    match job.status:
        case State.COMPLETED:
            return unpack(job.result)
        case State.CANCELLED:
            raise JobCancelled(f"{job.name} was cancelled.", jobId=str(job.job_id))
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
