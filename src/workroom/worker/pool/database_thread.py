"""The thread of a pool process that talks to the database, while the main thread runs jobs.

It has an event loop of its own, on which the fetcher, the completer, the monitor and the profile writer run. The main
thread calls the methods of `DatabaseThread` and never waits for the database, except to confirm the start of a job that
may run at most once.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import AsyncExitStack
from typing import Any

from workroom.actions import flush_ended_job_counts
from workroom.actions.engine import Engine
from workroom.client.portal import new_loop
from workroom.domain.errors import WorkerLost
from workroom.domain.jobs.heartbeat_and_lease import Timing
from workroom.domain.jobs.resources import Resources
from workroom.logs import get_logger
from workroom.store.database import Database
from workroom.store.health import answers
from workroom.store.notifications import WORK, Listener, listening
from workroom.worker.function_registry import Function
from workroom.worker.pool.batch_size import LARGEST
from workroom.worker.pool.completer import Completer
from workroom.worker.pool.fetcher import JobFetcher
from workroom.worker.pool.heartbeat_and_cancel import Monitor
from workroom.worker.pool.job import PoolJob
from workroom.worker.pool.profile_flusher import ProfileFlusher
from workroom.worker.pool.profiled_executions import Sampler
from workroom.worker.pool.shared_status import SharedStatus
from workroom.worker.pool.state import FinishedJob, PoolState
from workroom.worker.pool.worker_registration import PoolSession
from workroom.worker.postings.postgres_backend import pooler_of
from workroom.worker.walltime import Walltime

log = get_logger(__name__)

FLUSH_CHECK_SECONDS = 30.0  # seconds between two checks of whether the last flush makes progress
_CANCEL_SECONDS = 5.0  # a service that has not ended so long after its cancellation is cancelled again
_LOOK_SECONDS = 0.25  # between two checks of a database that is away
_CONNECTIONS = 3
MakeFetcher = Callable[[PoolState, PoolSession, Completer], JobFetcher]
EXIT_LEASE_LOST = 3  # exit code: the database declared this worker lost


class DatabaseThread:
    """What the main thread needs: the next job, a place for outcomes, and an orderly end."""

    def __init__(
        self,
        url: str,
        functions: Sequence[Function[..., Any]],
        shared_status: SharedStatus,
        timing: Timing,
        parent_pid: int,
        sampler: Sampler,
        celery_info: Mapping[str, Any] | None,
        make_fetcher: MakeFetcher,
        *,
        resources: Resources | None = None,
        walltime: Walltime | None = None,
    ) -> None:
        self.state = PoolState()
        self._url = url
        self._functions = functions
        self._shared_status = shared_status
        self._timing = timing
        self._parent_pid = parent_pid
        self._sampler = sampler
        self._celery_info = celery_info
        self._make_fetcher = make_fetcher
        self._resources = resources
        self._walltime = walltime
        self._loop = new_loop()
        self._main_thread_done = asyncio.Event()
        self._finished = threading.Event()
        self._thread = threading.Thread(target=self._run, name="database", daemon=True)
        self._fetcher: JobFetcher | None = None
        self._completer: Completer | None = None

    # For the main thread ------------------------------------------------------------------------------------------

    def start(self) -> None:
        self._thread.start()

    def next_job(self) -> PoolJob | None:
        """Wait for the next job. None when the process stops."""
        state = self.state
        while not state.stopping:
            try:
                job = state.buffer.popleft()
            except IndexError:
                state.job_arrived.clear()
                if not state.buffer and not state.stopping:
                    self._call_soon(state.want_more.set)
                    if not state.job_arrived.wait(self._sampler.flush_timeout):
                        self._sampler.flush()
                continue
            if len(state.buffer) == state.prefetch_at and state.batch_size.prefetches:
                self._call_soon(state.want_more.set)
            return job
        return None

    def deliver(self, finished: FinishedJob) -> None:
        """Queue an outcome for the next report."""
        state = self.state
        state.last_outcome = finished.outcome
        state.outbox.append(finished)
        if not state.buffer or len(state.outbox) == LARGEST:
            self._call_soon(state.flush_requested.set)

    def hand_back(self, job: PoolJob) -> None:
        """Put a job back that was not started: `finish` releases it with the others."""
        self.state.buffer.appendleft(job)

    def confirm_start(self, job: PoolJob) -> bool:
        """Report that a job starts, and wait for the answer: whether it may."""
        assert self._completer is not None
        try:
            return asyncio.run_coroutine_threadsafe(self._completer.confirm_start(job), self._loop).result()
        except (RuntimeError, CancelledError):
            return False  # the loop is closed

    def request_stop(self) -> None:
        """Start no further job. May be called from a signal handler."""
        self._call_soon(self.state.stop)

    def finish(self) -> None:
        """Report what is left, release the rest, and unregister.

        While outcomes are not stored, the process waits for the database, however long it is away: after its exit those
        calls would run again. A second signal to the pool ends the wait. A process whose pool is dead gives up when
        nothing was stored for `FLUSH_CHECK_SECONDS` seconds.
        """
        self.request_stop()
        self._call_soon(self._main_thread_done.set)
        unsent = len(self.state.outbox)
        while not self._finished.wait(FLUSH_CHECK_SECONDS) and self.state.outbox:
            if os.getppid() != self._parent_pid and len(self.state.outbox) >= unsent:
                break
            unsent = len(self.state.outbox)
            log.warning("process %d: waiting until the database has stored %d outcomes", os.getpid(), unsent)
        self._thread.join(1.0)

    def _call_soon(self, callback: Callable[[], object]) -> None:
        try:
            self._loop.call_soon_threadsafe(callback)
        except RuntimeError:
            self.state.stopping = True  # the loop is closed

    # In its own thread --------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        except* WorkerLost:
            # The database has given the jobs of this process to others; a new process must register.
            log.warning("process %d: its lease ended, restarting", os.getpid())
            os._exit(EXIT_LEASE_LOST)
        except* BaseException:
            log.exception("process %d: its database thread failed", os.getpid())
            os._exit(1)
        finally:
            self.state.stopping = True
            self.state.job_arrived.notify()
            self._finished.set()
        self._loop.close()

    async def _serve(self) -> None:
        if not await self._database_answers():
            return
        async with AsyncExitStack() as stack:
            # Listen before registering: from then on jobs may be assigned to this worker.
            listener = await stack.enter_async_context(listening(self._url, {WORK: self._on_notification}))
            database = await stack.enter_async_context(
                Database(self._url, connections=_CONNECTIONS, pooler=pooler_of(self._url))
            )
            engine = Engine(database, timing=self._timing, pushes=False)
            session = await PoolSession.register(
                engine, self._functions, self._celery_info, self._resources, self._walltime
            )
            completer = self._completer = Completer(self.state, session)
            self._fetcher = self._make_fetcher(self.state, session, completer)
            profiles = ProfileFlusher(session, self._sampler)
            self._shared_status.registered(session.worker_id)
            await self._run_services(session, completer, self._fetcher, listener, profiles)
            await completer.release_and_flush()
            self._sampler.flush()
            await profiles.flush()
            await session.retry_forever(lambda: flush_ended_job_counts.flush(engine))
            await session.leave()

    async def _database_answers(self) -> bool:
        """Wait for a database that is away, ready to work at once when it is back; False if the process must stop."""
        logged = False
        while not await asyncio.to_thread(answers, self._url):
            if self.state.stopping or self._main_thread_done.is_set() or os.getppid() != self._parent_pid:
                return False
            if not logged:
                log.warning("process %d: database unavailable, waiting for it", os.getpid())
                logged = True
            await asyncio.sleep(_LOOK_SECONDS)
        return True

    async def _run_services(
        self,
        session: PoolSession,
        completer: Completer,
        fetcher: JobFetcher,
        listener: Listener,
        profiles: ProfileFlusher,
    ) -> None:
        """Until the main thread has finished its last job."""
        monitor = Monitor(self.state, session, completer, self._timing, self._parent_pid)
        async with asyncio.TaskGroup() as group:
            services = [
                group.create_task(self._until_main_thread_is_done(service))
                for service in (
                    fetcher.run(),
                    fetcher.listen(listener),
                    completer.run(),
                    monitor.run(),
                    monitor.run_heartbeat(),
                    monitor.run_parent_check(),
                    profiles.run(),
                )
            ]
            await self._main_thread_done.wait()
            # Every call has returned. Their outcomes are stored before a service is cancelled, because cancelling a
            # query may break its connection or raise an error of the driver.
            await completer.flush()
            await _cancel(services)

    async def _until_main_thread_is_done(self, service: Coroutine[Any, Any, None]) -> None:
        """Run a service. After the last job its failure no longer matters: everything is stored."""
        try:
            await service
        except Exception:
            if not self._main_thread_done.is_set():
                raise
            log.warning("process %d: a service failed while it was stopped", os.getpid(), exc_info=True)

    def _on_notification(self, payload: str) -> None:
        if self._fetcher is not None:
            self._fetcher.on_notification(payload)


async def _cancel(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancel tasks until they have ended. A cancellation is lost when the driver raises its own error instead."""
    while running := [task for task in tasks if not task.done()]:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=_CANCEL_SECONDS)
