"""Keeps a pool process alive in the database, and watches the jobs it holds: long ones, cancelled ones, paused ones."""

from __future__ import annotations

import asyncio
import os
import time
from uuid import UUID

from workroom.actions import flush_ended_job_counts
from workroom.actions.postings.postings import cancelling, paused_at
from workroom.actions.workers.lifecycle import has_unseen_job, heartbeat
from workroom.actions.workers.throughput import flush
from workroom.domain.jobs.heartbeat_and_lease import Timing
from workroom.domain.jobs.job_error import timeout_error
from workroom.domain.jobs.outcomes import Cancelled, Failed, Outcome
from workroom.logs import get_logger
from workroom.worker.pool.completer import Completer
from workroom.worker.pool.job import PoolJob
from workroom.worker.pool.state import FinishedJob, PoolState
from workroom.worker.pool.worker_registration import PoolSession

log = get_logger(__name__)

_TICK = 0.025  # seconds between two checks of what runs
_REPORT_START_AFTER = 0.05  # a job that runs longer is reported as started
_RELEASE_AFTER = 0.5  # the jobs behind one that runs longer go to other processes
_POLL_SECONDS = 1.0  # between two queries for cancelled and paused jobs
_LOST_NOTIFICATION_SECONDS = 5.0  # a notification that has not arrived by then was lost
_CANCEL_GRACE = 2.0  # how long a cancelled job may take to return before its process ends
_PARENT_SECONDS = 1.0
EXIT_TIMEOUT = 4  # exit code: a job ran past its timeout


class Monitor:
    """Three loops beside the fetcher and the completer."""

    def __init__(
        self, state: PoolState, session: PoolSession, completer: Completer, timing: Timing, parent_pid: int
    ) -> None:
        self._state = state
        self._session = session
        self._completer = completer
        self._timing = timing
        self._parent_pid = parent_pid
        self._cancel_seen_at: dict[UUID, float] = {}

    async def run_heartbeat(self) -> None:
        session = self._session
        while True:
            await asyncio.sleep(self._timing.heartbeat)
            await session.retry_forever(lambda: heartbeat(session.engine, session.worker_id, 1))
            await session.retry_forever(lambda: flush(session.engine))
            await session.retry_forever(lambda: flush_ended_job_counts.flush(session.engine))
            await self._check_lost_notification()

    async def run_parent_check(self) -> None:
        """Stop when the pool that started this process is dead: finish the job that runs, and start no other."""
        while os.getppid() == self._parent_pid:  # noqa: ASYNC110 - the kernel has no event for it
            await asyncio.sleep(_PARENT_SECONDS)
        if not self._state.stopping:
            log.warning("process %d: its pool is dead, stopping", os.getpid())
            self._state.stop()

    async def run(self) -> None:
        """While this process holds jobs: flush reports, handle a long job, and check for cancellations and pauses."""
        state = self._state
        polled_at = 0.0
        while True:
            await state.has_jobs.wait()
            if state.is_idle:
                state.has_jobs.clear()
                continue
            await self._completer.flush()
            await self._handle_long_job()
            now = time.monotonic()
            if (state.buffer or state.current) and (now - polled_at > _POLL_SECONDS or state.cancel_notified):
                polled_at = now
                state.cancel_notified = False
                await self._check_cancelled()
                await self._check_paused()
            await asyncio.sleep(_TICK)

    async def _handle_long_job(self) -> None:
        current = self._state.current
        if current is None:
            return
        job, started_at = current
        ran = time.perf_counter() - started_at
        if job.function.timeout is not None and ran > job.function.timeout:
            log.warning("%s ran longer than %g s: process %d ends", job, job.function.timeout, os.getpid())
            await self._end_with(current, Failed(timeout_error(job.function.timeout)), EXIT_TIMEOUT)
            return
        if ran > _REPORT_START_AFTER and not job.start_reported:
            await self._completer.report_start(job)
        if ran > _RELEASE_AFTER:
            self._state.batch_size.record(1, ran)
            await self._completer.release()

    async def _check_lost_notification(self) -> None:
        """A job whose notification was lost would never start here: stop, so that unregistering releases it."""
        state, session = self._state, self._session
        if state.held or state.is_claiming:
            return
        received = state.received
        unseen = await session.retry_forever(
            lambda: has_unseen_job(session.engine, session.worker_id, seconds=_LOST_NOTIFICATION_SECONDS)
        )
        if unseen and received == state.received and not state.is_claiming and not state.stopping:
            log.warning("process %d: the notification of an assigned job was lost, restarting", os.getpid())
            state.stop()

    async def _check_cancelled(self) -> None:
        state, session = self._state, self._session
        cancelled = set(await session.retry_forever(lambda: cancelling(session.engine, session.worker_id)))
        state.cancelled |= cancelled
        now = time.monotonic()
        self._cancel_seen_at = {job_id: self._cancel_seen_at.get(job_id, now) for job_id in cancelled}
        current = state.current
        if current is None or current[0].id not in cancelled:
            return
        if now - self._cancel_seen_at[current[0].id] >= _CANCEL_GRACE:
            log.info("%s did not return after its cancellation: process %d ends", current[0], os.getpid())
            await self._end_with(current, Cancelled(), 0)

    async def _end_with(self, current: tuple[PoolJob, float], outcome: Outcome, exit_code: int) -> None:
        """End this process, and so the job that runs in it. Outcomes of jobs that have returned are stored first.

        A job that returns meanwhile keeps its own outcome, and the process stops in the ordinary way.
        """
        self._state.stop()
        await self._completer.release_and_flush()
        if self._state.current is not current:
            return
        job, started_at = current
        waited_ms, ran_ms = (started_at - job.claimed_at) * 1000, (time.perf_counter() - started_at) * 1000
        await self._completer.report_stopped(FinishedJob(job, outcome, 0, waited_ms, ran_ms))
        await self._session.leave()
        os._exit(exit_code)

    async def _check_paused(self) -> None:
        """Release the jobs of paused postings and queues that have not started."""
        session = self._session
        if not self._state.buffer:
            return
        paused = set(await session.retry_forever(lambda: paused_at(session.engine, session.worker_id)))
        if paused:
            await self._completer.release(paused)
