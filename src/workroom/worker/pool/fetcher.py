"""Fetches jobs from the database into the buffer of a pool process.

Most jobs are claimed, many at a time. A job that is posted while this process is idle is assigned to it by the
posting statement itself and arrives with a notification.
"""

from __future__ import annotations

import asyncio
import math
import os
import time
from contextlib import suppress

import psycopg

from workroom.actions.jobs.assign import claim
from workroom.domain.errors import DatabaseBusy, Unavailable
from workroom.logs import get_logger
from workroom.store.notifications import Listener, WorkNotification
from workroom.store.queue_tables.job_rows import Claimed
from workroom.worker.pool.completer import Completer
from workroom.worker.pool.job import PoolJob
from workroom.worker.pool.state import PoolState
from workroom.worker.pool.worker_registration import PoolSession

log = get_logger(__name__)

_POLL_SECONDS = 1.0  # claims at least this often while idle: a lost notification costs no more
_CLAIM_RACE_SECONDS = 0.02  # a claim that ended so recently may have lost against an assignment
_MONITOR_DELAY = 0.025


class JobFetcher:
    """Claims when the main thread needs jobs and there may be some."""

    def __init__(self, state: PoolState, session: PoolSession, completer: Completer) -> None:
        self._state = state
        self._session = session
        self._completer = completer
        self._loop = asyncio.get_running_loop()
        self._last_empty_claim = -math.inf
        self._is_repeating = False  # the next claim repeats one that lost against an assignment

    async def run(self) -> None:
        """Claim until the process stops."""
        state = self._state
        may_find_more = True
        while True:
            await state.want_more.wait()
            if not may_find_more:
                await self._wait_for_request()
            if state.stopping:
                return
            if not state.want_more.is_set():
                continue  # an assigned job arrived meanwhile
            state.claim_requested.clear()
            # Jobs that are not reported yet still take slots, so the claim may come back short.
            state.slots_blocked = bool(state.buffer or state.outbox or self._completer.is_sending)
            size = state.batch_size.size
            repeats, self._is_repeating = self._is_repeating, False
            state.is_claiming = True
            try:
                jobs = await self._claim(size)
            except DatabaseBusy:
                state.claim_requested.set()
                continue
            except Unavailable as error:
                # The claim may have been committed although its answer was lost. Unregistering releases such jobs.
                log.warning("process %d: the answer to a claim was lost, restarting: %s", os.getpid(), error.message)
                state.stop()
                return
            finally:
                state.is_claiming = False
            # A short batch means that nothing of this function is left, unless unreported jobs took the slots.
            may_find_more = bool(jobs) and (len(jobs) == size or jobs[-1].others or bool(state.deprioritised))
            if jobs:
                state.slots_blocked = state.slots_blocked and not may_find_more
                self._receive(jobs)
            elif not repeats:
                self._last_empty_claim = time.monotonic()

    async def listen(self, listener: Listener) -> None:
        """Receive notifications until the connection breaks."""
        try:
            await listener.run()
        except psycopg.OperationalError as error:
            # A job may have been assigned whose notification was lost. Unregistering releases it.
            reason = str(error).partition("\n")[0]
            log.warning("process %d: the notification connection broke, restarting: %s", os.getpid(), reason)
            self._state.stop()

    def on_notification(self, payload: str) -> None:
        state = self._state
        notification = WorkNotification.read(payload)
        if notification.extension_id not in self._session.functions:
            return
        if notification.job is None:
            state.claim_requested.set()
            # A job that is cancelled before it is claimed never gets here.
            state.cancel_notified = bool(state.is_claiming or state.buffer or state.current)
        elif notification.worker_id == self._session.worker_id:
            self._receive([notification.job], prefetch=False)
            # A claim that ran beside this assignment found the worker locked and returned nothing: repeat it.
            if state.is_claiming or time.monotonic() - self._last_empty_claim < _CLAIM_RACE_SECONDS:
                self._is_repeating = True
                state.claim_requested.set()

    async def _wait_for_request(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_POLL_SECONDS):
                await self._state.claim_requested.wait()

    async def _claim(self, size: int) -> list[Claimed]:
        engine, worker_id = self._session.engine, self._session.worker_id
        if self._state.deprioritised:
            others = await claim(engine, worker_id, size, deprioritised=list(self._state.deprioritised))
            if others:
                return others
        # Deprioritised postings are tried when nothing else waits.
        return await claim(engine, worker_id, size)

    def _receive(self, jobs: list[Claimed], *, prefetch: bool = True) -> None:
        """Append jobs to the buffer. The next batch is fetched when half are consumed, unless the job was assigned."""
        state = self._state
        state.received += len(jobs)
        state.held += len(jobs)
        state.want_more.clear()
        state.prefetch_at = len(jobs) // 2 if prefetch else -1
        now = time.perf_counter()
        functions = self._session.functions
        state.buffer.extend([PoolJob(job, functions[job.extension_id], now) for job in jobs])
        state.job_arrived.notify()
        # Delayed: the monitor would hold the interpreter while a short job is about to start.
        self._loop.call_later(_MONITOR_DELAY, state.has_jobs.set)
