"""The room that a job gets as `vis`: it acts for one attempt, over the worker's connections."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from workroom.client.async_room import AsyncRoom
from workroom.client.blocking_room import Room
from workroom.client.locks import HeldLocks
from workroom.client.net.event_stream import EventStream
from workroom.client.net.http import ApiClient
from workroom.client.portal import Portal
from workroom.domain.errors import AttemptLost, NotSignedIn
from workroom.worker.execution.execution_state import Execution, Stop

T = TypeVar("T")


class JobTokens:
    """The token of a job. It gives access to the job's room while the attempt lasts."""

    def __init__(self, token: str) -> None:
        self._token = token

    async def token(self) -> str:
        return self._token

    async def renewed(self, refused: str) -> str:
        raise NotSignedIn("A job's token ends with the job.")


class JobAccess(ApiClient):
    """The requests of a job. They raise once the job must stop."""

    def __init__(self, access: ApiClient, execution: Execution) -> None:
        super().__init__(
            access.url, access.http, JobTokens(execution.assignment.job_token), retry_seconds=access.retry_seconds
        )
        self._execution = execution

    async def with_retries(self, once: Callable[[], Awaitable[T]], **how: bool) -> T:
        self._execution.check()
        try:
            return await super().with_retries(once, **how)
        except AttemptLost:
            self._execution.request_stop(Stop.LOST)
            raise


class _AsyncJobRoom(AsyncRoom):
    """A room that is already open, over the connections of the worker."""

    def __init__(self, name: str, access: ApiClient) -> None:
        super().__init__(name, access.url, token="")
        self._access = access
        self.locks = HeldLocks(self, release_on_disconnect=False)  # a job's locks end with its attempt
        self._live = self._subscribed(EventStream(access.url, access.tokens))


class JobRoom(Room):
    """What `run` gets as `vis`."""

    def __init__(self, portal: Portal, access: ApiClient, execution: Execution) -> None:
        self.portal = portal
        self._inner = _AsyncJobRoom(execution.assignment.room or "", JobAccess(access, execution))
        self._execution = execution

    @property
    def job_id(self) -> str:
        return str(self._execution.assignment.job_id)

    def progress(self, fraction: float | None, message: str = "") -> None:
        """Report the progress: 0 to 1, or None if unknown. Raises JobCancelled once the job is cancelled."""
        self._execution.progress(fraction, message)

    @property
    def cancelled(self) -> bool:
        """Whether the job must stop. Return soon if so."""
        return self._execution.cancelled

    def close(self) -> None:
        """The room stays open for as long as its job."""

    def finish(self) -> None:
        """Release the job's own locks and subscriptions after it has ended."""
        self.portal.call(self.inner.locks.close())
        if self.inner.live.is_started:
            self.portal.call(self.inner.live.close())

    def __repr__(self) -> str:
        return f"<JobRoom {self.name!r} for {self._execution.assignment}>"
