"""The public `Room` and `AsyncRoom`: the client's rooms, which can also offer extensions."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from typing import Any, Literal, TypeVar

from workroom import logs
from workroom.client import async_room, blocking_room
from workroom.client.blocking_room import blocking
from workroom.client.extension import Extension
from workroom.domain.jobs import breaker
from workroom.domain.jobs.fair_queue import DEFAULT_PRIORITY
from workroom.domain.jobs.resources import Resources, checked_resources
from workroom.domain.jobs.worker_loss import OnWorkerLost
from workroom.worker.execution.execution_state import Execution
from workroom.worker.loading import check_not_loading_in_child
from workroom.worker.remote.offers import Offer
from workroom.worker.remote.worker import RemoteWorker
from workroom.worker.signals import graceful_shutdown, is_main_thread
from workroom.worker.walltime import Walltime

log = logs.get_logger(__name__)

Offered = TypeVar("Offered", bound=type[Extension])


class AsyncPickedJob:
    """A job from `next_job()`. `run` runs it and reports its outcome."""

    def __init__(self, worker: RemoteWorker, execution: Execution) -> None:
        self._worker = worker
        self._execution = execution
        self.id = execution.assignment.job_id
        self.category = execution.assignment.category
        self.name = execution.assignment.name
        self.data = execution.assignment.data

    async def run(self) -> None:
        await self._worker.run(self._execution)

    def __repr__(self) -> str:
        return f"<picked {self._execution.assignment}>"


class AsyncRoom(async_room.AsyncRoom):
    """A room of a server, which can offer extensions.

    With `auto_pickup_jobs=False` the program takes jobs one at a time with `next_job()`.
    """

    def __init__(
        self,
        name: str,
        url: str | None = None,
        user: str | None = None,
        password: str | None = None,
        token: str | None = None,
        *,
        create: bool = True,
        auto_pickup_jobs: bool = True,
        worker_name: str = "",
        offers: Resources | None = None,
        walltime: Walltime | None = None,
        idle_exit: float | None = None,
    ) -> None:
        super().__init__(name, url, user, password, token, create=create)
        self._auto_pickup = auto_pickup_jobs
        self._worker_options: dict[str, Any] = {
            "name": worker_name,
            "resources": checked_resources(offers),
            "walltime": walltime,
            "idle_exit": idle_exit,
        }
        self._worker: RemoteWorker | None = None

    @property
    def worker(self) -> RemoteWorker:
        """The worker that runs all extensions offered by this room object."""
        if self._worker is None:
            self._worker = RemoteWorker(self.access, self.name, auto_pickup=self._auto_pickup, **self._worker_options)
        return self._worker

    async def register_extension(
        self,
        extension: type[Extension],
        *,
        public: bool = False,
        run_kwargs: Mapping[str, Any] | None = None,
        concurrency: int | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - the timeout of the job
        tries: int = 1,
        on_worker_lost: Literal["fail", "requeue", "requeue_unstarted"] | OnWorkerLost = OnWorkerLost.FAIL,
        priority: int = DEFAULT_PRIORITY,
        isolate: bool = False,
        resources: Resources | None = None,
        breaker_failures: int = breaker.DEFAULT_FAILURES,
        breaker_seconds: float = breaker.DEFAULT_SECONDS,
    ) -> None:
        """Offer an extension: to this room, or with `public=True` to all of them (admins only).

        `run_kwargs` are passed to every run. `concurrency` is how many jobs run at a time here. `timeout` is in
        seconds. With `isolate=True` each job gets a process of its own, which can be killed. `resources` is what a job
        needs of its worker, like `{"gpus": 1}`; without it, what the class names. Failures in a row of
        `breaker_failures` different inputs keep jobs of it from this worker for `breaker_seconds`; 0: they never do.
        """
        await self.worker.offer(
            Offer(
                extension,
                public=public,
                run_kwargs=dict(run_kwargs or {}),
                concurrency=concurrency,
                timeout=timeout,
                tries=tries,
                on_worker_lost=OnWorkerLost(on_worker_lost),
                priority=priority,
                isolate=isolate,
                resources=resources,
                breaker_failures=breaker_failures,
                breaker_seconds=breaker_seconds,
            )
        )

    async def unregister_extension(self, extension: type[Extension]) -> None:
        """Withdraw an extension. Its running jobs are finished."""
        await self.worker.withdraw(extension)

    async def next_job(self, timeout: float | None = None) -> AsyncPickedJob:  # noqa: ASYNC109
        """The next job, for rooms with `auto_pickup_jobs=False`; TimeoutError when none arrives in time."""
        async with asyncio.timeout(timeout):
            return AsyncPickedJob(self.worker, await self.worker.next_job())

    async def drain(self) -> None:
        """Accept no more jobs, finish the running ones, and unregister."""
        if self._worker is not None and self._worker.id is not None:
            await self._worker.drain()
            self._worker = None

    async def wait(self) -> None:
        """Run jobs until Ctrl-C or SIGTERM, then finish the running ones. A second Ctrl-C exits at once.

        A worker with a walltime or with `idle_exit` also ends by itself.
        """
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        with graceful_shutdown(lambda: loop.call_soon_threadsafe(stop.set)):
            self.tell_what_is_offered()
            waits = [asyncio.ensure_future(stop.wait()), asyncio.ensure_future(self.worker.ending.wait())]
            try:
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for one in waits:
                    one.cancel()
            await self.drain()

    def tell_what_is_offered(self) -> None:
        """One line on standard error, or in the log, when the program begins to wait for jobs."""
        keys = [one.key for one in self.worker.offers]
        offered = [
            f"{category}/{name} to {f'room {self.name!r}' if scope == 'room' else 'all rooms'}"
            for scope, category, name in keys
        ]
        ends = " Ctrl-C ends it, after the running jobs." if is_main_thread() else ""
        logs.show(log, f"This worker offers {', '.join(offered) or 'nothing yet'}, at {self.url}.{ends}")

    async def close(self) -> None:
        """End the worker, release the locks, and disconnect."""
        worker, self._worker = self._worker, None
        if worker is not None:
            await worker.close()
        await super().close()


class PickedJob:
    """A job from `next_job()`. `run` runs it and reports its outcome."""

    def __init__(self, portal: Any, inner: AsyncPickedJob) -> None:
        self.portal = portal
        self.inner = inner
        self.id, self.category, self.name, self.data = inner.id, inner.category, inner.name, inner.data

    run = blocking(AsyncPickedJob.run)

    def __repr__(self) -> str:
        return repr(self.inner)


class Room(blocking_room.Room):
    """A room of a server: run jobs in it, and offer extensions to it.

    Without `url` the server running on this machine is used. With `user` alone one is a guest of that name. The room is
    created if it does not exist, unless `create=False`. With `auto_pickup_jobs=False` the program takes each job with
    `next_job()`. `offers` are the resources of this process for its jobs together, like `{"gpus": 1}`.
    """

    def __init__(
        self,
        name: str,
        url: str | None = None,
        user: str | None = None,
        password: str | None = None,
        token: str | None = None,
        *,
        create: bool = True,
        auto_pickup_jobs: bool = True,
        worker_name: str = "",
        offers: Resources | None = None,
        walltime: Walltime | None = None,
        idle_exit: float | None = None,
    ) -> None:
        check_not_loading_in_child()
        self._enter(
            AsyncRoom(
                name,
                url,
                user,
                password,
                token,
                create=create,
                auto_pickup_jobs=auto_pickup_jobs,
                worker_name=worker_name,
                offers=offers,
                walltime=walltime,
                idle_exit=idle_exit,
            )
        )

    @property
    def inner(self) -> AsyncRoom:
        assert isinstance(self._inner, AsyncRoom)
        return self._inner

    register_extension = blocking(AsyncRoom.register_extension)
    unregister_extension = blocking(AsyncRoom.unregister_extension)
    drain = blocking(AsyncRoom.drain)

    def next_job(self, timeout: float | None = None) -> PickedJob:
        """The next job, for rooms with `auto_pickup_jobs=False`; TimeoutError when none arrives in time."""
        return PickedJob(self.portal, self.portal.call(self.inner.next_job(timeout)))

    def wait(self) -> None:
        """Run jobs until Ctrl-C or SIGTERM, then finish the running ones. A second Ctrl-C exits at once.

        A worker with a walltime or with `idle_exit` also ends by itself.
        """
        stop = threading.Event()

        async def until_it_ends() -> None:
            await self.inner.worker.ending.wait()
            stop.set()

        with graceful_shutdown(stop.set):
            self.inner.tell_what_is_offered()
            ending = self.portal.start(until_it_ends())
            stop.wait()
            ending.cancel()
            self.drain()
