"""Carries jobs from the database to the main thread of a pool process, and what came of them back.

Most jobs are claimed, many at a time; one that is posted while this process has nothing to do is sent to it.

Runs in a thread with an event loop of its own. `hand` is what came and has not begun: the main thread takes from its
front, the courier gives back from its end. Both are single operations on a deque, so neither waits for the other.

It is long because fetching, hearing, reporting and giving back all turn on what is at hand at this moment: apart, they
would have to ask each other at every step.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import platform
import threading
import time
from collections import deque
from collections.abc import Coroutine, Sequence
from concurrent.futures import CancelledError
from contextlib import AsyncExitStack, suppress
from typing import Any
from uuid import UUID

import psycopg

from workroom.actions.engine import Engine
from workroom.actions.jobs.assign import claim
from workroom.actions.jobs.report import report
from workroom.actions.jobs.rescue import release_claimed
from workroom.actions.postings.postings import cancelling, paused_at
from workroom.actions.profiles import ProfileWriter
from workroom.actions.workers.register import WorkerSpec, has_unseen_job, heartbeat, leave, register_worker
from workroom.actions.workers.throughput import flush
from workroom.client.portal import new_loop
from workroom.domain.errors import DatabaseBusy, Unavailable, WorkerLost
from workroom.domain.jobs.outcomes import Cancelled, Outcome, Report, Started
from workroom.domain.jobs.timing import Timing
from workroom.store.database import Database
from workroom.store.notifications import WORK, Listener, WorkNotification, listening
from workroom.store.queue_tables.job_rows import Claimed
from workroom.worker.pool.batch_size import LARGEST, AdaptiveBatchSize
from workroom.worker.pool.job import PoolJob
from workroom.worker.pool.process_status import SharedStatus
from workroom.worker.pool.sampler import Sampler
from workroom.worker.pool.wakeup import Wakeup
from workroom.worker.postings.postgres_backend import extension_spec
from workroom.worker.registry import Function

log = logging.getLogger("workroom.pool")

_POLL = 1.0  # a hint that was lost costs at most this
_MISSED = 5.0  # a hint that has not come by then never will
_CLAIM_RACE_SECONDS = 0.02  # an assignment and a claim that met are heard of within this
_TICK = 0.025  # between looks at what runs
_TOLD_AFTER = 0.05  # a job that runs longer is reported as started
_GIVEN_BACK_AFTER = 0.5  # what waits behind such a job goes to others
_CANCEL_GRACE = 2.0  # how long a job that is called off may take to end by itself
_TOGETHER = 1_000  # reports at once
_CAPACITY = 4 * LARGEST  # a helping at hand, one fetched ahead, and what is on its way back
_FAREWELL = 30.0
_PROFILES_TOGETHER = 1.0  # what gathers within so many seconds is stored at once
EXIT_LEASE_LOST = 3  # exit code: the database took this worker for lost


class JobFetcher:
    def __init__(
        self,
        url: str,
        functions: Sequence[Function[..., Any]],
        marker: SharedStatus,
        timing: Timing,
        parent_pid: int,
        sampler: Sampler,
    ) -> None:
        self._url = url
        self._functions = functions
        self._marker = marker
        self._timing = timing
        self._parent_pid = parent_pid
        self._sampler = sampler
        self._by_extension: dict[int, Function[..., Any]] = {}
        self._appetite = AdaptiveBatchSize()
        self._hand: deque[PoolJob] = deque()
        self._low_water = 0
        self._outbox: deque[tuple[PoolJob, Outcome, float | None, float | None]] = deque()
        self._arrived = Wakeup()
        self._finished = threading.Event()
        self._ends = False
        self._loop = new_loop()
        self.want_more = asyncio.Event()
        self._hinted = asyncio.Event()
        self.slots_blocked = False
        self._cancels_hinted = False
        self._claiming = False
        self._taken = 0  # how many jobs ever came here
        self._held = 0  # and how many of them are not yet dealt with
        self._came_empty = -math.inf  # when a claim last found nothing
        self._looks_again = False
        self._busy = asyncio.Event()
        self._all_done = asyncio.Event()
        self._flushing = asyncio.Lock()
        self._thread = threading.Thread(target=self._run, name="courier", daemon=True)
        self._called_off_at: dict[UUID, float] = {}
        self.current: tuple[PoolJob, float] | None = None  # what the main thread runs, and since when
        self.cancelled: set[UUID] = set()  # jobs at hand that are called off
        self.deprioritised: set[UUID] = set()  # postings

    # For the main thread ------------------------------------------------------------------------------------------

    def start(self) -> None:
        self._thread.start()

    def next_task(self) -> PoolJob | None:
        """The next job; waits for one. None when it is time to end."""
        while not self._ends:
            try:
                task = self._hand.popleft()
            except IndexError:
                self._arrived.clear()
                if not self._hand and not self._ends:
                    self._soon(self.want_more.set)
                    if not self._arrived.wait(self._sampler.flush_timeout):
                        self._sampler.flush()
                continue
            if len(self._hand) == self._low_water and self._appetite.prefetches:
                self._soon(self.want_more.set)
            return task
        return None

    def deliver(self, task: PoolJob, outcome: Outcome, waited_ms: float | None, ran_ms: float | None) -> None:
        self._outbox.append((task, outcome, waited_ms, ran_ms))
        if not self._hand or len(self._outbox) == LARGEST:
            self._soon(self._flush_soon)

    def confirm(self, task: PoolJob) -> bool:
        """Let the database know that a job runs before it does: whether it may. Others are reported with their end."""
        try:
            return asyncio.run_coroutine_threadsafe(self._confirm(task), self._loop).result()
        except (RuntimeError, CancelledError):
            return False  # the loop has ended, and with it this process's work

    def ask_to_end(self) -> None:
        """Begin no further job. May be called from a signal handler."""
        self._soon(self._end)

    def finish(self) -> None:
        """Report what is left, give back the rest, and leave."""
        self._soon(self._end)
        self._soon(self._all_done.set)
        self._finished.wait(_FAREWELL)
        self._thread.join(1.0)

    def _soon(self, call: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:
            self._ends = True  # the loop is closed

    # In its own thread --------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
        except WorkerLost:
            # What runs here is no longer ours, and nothing of it may be reported: begin anew in another process.
            log.warning("process %d was taken for lost", os.getpid())
            os._exit(EXIT_LEASE_LOST)
        except BaseException:
            log.exception("the courier of process %d failed", os.getpid())
            os._exit(1)
        finally:
            self._ends = True
            self._arrived.notify()
            self._finished.set()
        self._loop.close()

    async def _serve(self) -> None:
        async with AsyncExitStack() as stack:
            # Before it registers: from then on it is sent jobs, and must not miss one.
            hints = await stack.enter_async_context(listening(self._url, WORK, self._hear))
            database = await stack.enter_async_context(Database(self._url, connections=3))
            self._engine = Engine(database, timing=self._timing, pushes=False)
            info: dict[str, Any] = {"pid": os.getpid(), "host": platform.node()}
            offered = [extension_spec(function) for function in self._functions]
            welcome = await register_worker(self._engine, WorkerSpec("pool", offered, capacity=_CAPACITY, info=info))
            self._me = welcome.worker_id
            self._marker.registered(self._me)
            self._archive = ProfileWriter(self._engine, self._me, info["host"])
            self._by_extension = {
                registered.id: function
                for registered, function in zip(welcome.extensions, self._functions, strict=True)
            }
            async with asyncio.TaskGroup() as group:
                services = [
                    group.create_task(one)
                    for one in (self._claim(), self._listen(hints), self._beat(), self._watch(), self._keep_profiles())
                ]
                await self._all_done.wait()
                for service in services:
                    service.cancel()
            await self._release_and_flush()
            self._sampler.flush()
            await self._store_profiles()
            await self._retry_forever(lambda: leave(self._engine, self._me))

    async def _confirm(self, task: PoolJob) -> bool:
        began = Report(task.id, task.attempt, Started())
        refused = await self._retry_forever(lambda: report(self._engine, self._me, [began]))
        task.start_reported = True
        self._held -= len(refused)
        return not refused

    async def _claim(self) -> None:
        more = True  # as far as is known
        while True:
            await self.want_more.wait()
            if not more:
                await self._news()
            if self._ends:
                return
            if not self.want_more.is_set():
                continue  # meanwhile it was sent a job
            self._hinted.clear()
            # A claim may find every slot taken by what is still to be reported.
            self.slots_blocked = bool(self._hand or self._outbox or self._flushing.locked())
            helping = self._appetite.size
            again, self._looks_again = self._looks_again, False
            self._claiming = True
            try:
                jobs = await self._fetch(helping)
            except DatabaseBusy:
                self._hinted.set()
                continue
            except Unavailable as error:
                # The claim may have been made and only its answer lost. Leaving gives back whatever that was.
                log.warning("process %d ends, for it cannot tell what it holds: %s", os.getpid(), error.message)
                self._end()
                return
            finally:
                self._claiming = False
            # Fewer than asked for: there are no more of this function, unless what is on its way back took their slots.
            more = bool(jobs) and (len(jobs) == helping or jobs[-1].others or bool(self.deprioritised))
            if jobs:
                self.slots_blocked = self.slots_blocked and not more
                self._take(jobs)
                continue
            if not again:
                self._came_empty = time.monotonic()
            if os.getppid() != self._parent_pid:
                log.warning("the pool of process %d is gone", os.getpid())
                self._end()
                return

    async def _news(self) -> None:
        """Until there may be something; a hint that was lost costs a while."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_POLL):
                await self._hinted.wait()

    async def _fetch(self, helping: int) -> list[Claimed]:
        if self.deprioritised:
            others = await claim(self._engine, self._me, helping, set_aside=list(self.deprioritised))
            if others:
                return others
        # With nothing else to do, what was set aside is tried after all: no posting waits for ever.
        return await claim(self._engine, self._me, helping)

    async def _listen(self, hints: Listener) -> None:
        try:
            await hints.run()
        except psycopg.OperationalError as error:
            # A job may have been sent that was not heard of. Leaving gives it back.
            reason = str(error).partition("\n")[0]
            log.warning("process %d ends, for it no longer hears from the database: %s", os.getpid(), reason)
            self._end()

    def _hear(self, payload: str) -> None:
        hint = WorkNotification.read(payload)
        if hint.extension_id not in self._by_extension:
            return
        if hint.job is None:
            self._hinted.set()
            # What is called off before it is claimed never gets here.
            self._cancels_hinted = bool(self._claiming or self._hand or self.current)
        elif hint.worker_id == self._me:
            self._take([hint.job], ahead=False)
            # A claim that met this assignment had to stand back, and came away empty whatever waits: it looks again.
            if self._claiming or time.monotonic() - self._came_empty < _CLAIM_RACE_SECONDS:
                self._looks_again = True
                self._hinted.set()

    def _take(self, jobs: list[Claimed], *, ahead: bool = True) -> None:
        """Put jobs at hand; when half of them are done, more may be fetched `ahead`. One that was sent is alone."""
        self._taken += len(jobs)
        self._held += len(jobs)
        self.want_more.clear()
        self._low_water = len(jobs) // 2 if ahead else -1
        now = time.perf_counter()
        self._hand.extend([PoolJob(job, self._by_extension[job.extension_id], now) for job in jobs])
        self._arrived.notify()
        # Not at once: whoever looks after long jobs would hold the interpreter while a short one is to begin.
        self._loop.call_later(_TICK, self._busy.set)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._timing.heartbeat)
            await self._retry_forever(lambda: heartbeat(self._engine, self._me, 1))
            await self._retry_forever(lambda: flush(self._engine))
            await self._see_what_was_missed()

    async def _see_what_was_missed(self) -> None:
        """A hint may have been lost, and with it a job: nothing here would ever begin it."""
        if self._held or self._claiming:
            return
        taken = self._taken
        missed = await self._retry_forever(lambda: has_unseen_job(self._engine, self._me, seconds=_MISSED))
        if missed and taken == self._taken and not self._claiming and not self._ends:
            log.warning("process %d ends, for it was sent a job and did not hear of it", os.getpid())
            self._end()

    async def _watch(self) -> None:
        """While there is something at hand: report, tell of long jobs, and see what is called off."""
        looked = 0.0
        while True:
            await self._busy.wait()
            if not self._hand and not self._outbox and self.current is None:
                self._busy.clear()
                continue
            await self._flush()
            await self._tell_of_long_job()
            now = time.monotonic()
            if (self._hand or self.current) and (now - looked > _POLL or self._cancels_hinted):
                looked = now
                self._cancels_hinted = False
                await self._see_what_is_called_off()
                await self._see_what_is_paused()
            await asyncio.sleep(_TICK)

    async def _tell_of_long_job(self) -> None:
        current = self.current
        if current is None:
            return
        task, begun = current
        ran = time.perf_counter() - begun
        if ran > _TOLD_AFTER and not task.start_reported:
            await self._tell_of_start(task)
        if ran > _GIVEN_BACK_AFTER:
            self._appetite.record(1, ran)
            await self._give_back()

    async def _tell_of_start(self, task: PoolJob) -> None:
        # Not beside its end: that counts on the start being known, and would be refused if it came first.
        async with self._flushing:
            if self.current is not None and self.current[0] is task:
                task.start_reported = True
                await self._send([Report(task.id, task.attempt, Started())])

    async def _see_what_is_called_off(self) -> None:
        called_off = set(await self._retry_forever(lambda: cancelling(self._engine, self._me)))
        self.cancelled |= called_off
        now = time.monotonic()
        self._called_off_at = {one: self._called_off_at.get(one, now) for one in called_off}
        current = self.current
        if current is None or current[0].id not in called_off:
            return
        if now - self._called_off_at[current[0].id] >= _CANCEL_GRACE:
            task = current[0]
            log.info("%s did not end when called off: process %d ends with it", task, os.getpid())
            await self._release_and_flush()
            await self._send([Report(task.id, task.attempt, Cancelled())])
            await self._retry_forever(lambda: leave(self._engine, self._me))
            os._exit(0)

    async def _keep_profiles(self) -> None:
        while True:
            await asyncio.sleep(_PROFILES_TOGETHER)
            await self._store_profiles()

    async def _store_profiles(self) -> None:
        try:
            if profiles := self._sampler.profiles():
                await self._archive.store(profiles)
        except Exception as error:
            # No job may suffer for it.
            log.warning("profiles of process %d are not stored: %r", os.getpid(), error)

    async def _see_what_is_paused(self) -> None:
        """What has not begun of a paused posting goes back; that it was fetched ahead must make no difference."""
        if not self._hand:
            return
        paused = set(await self._retry_forever(lambda: paused_at(self._engine, self._me)))
        if paused:
            await self._give_back(paused)

    def _flush_soon(self) -> None:
        self._flusher = self._loop.create_task(self._flush())

    async def _flush(self) -> None:
        async with self._flushing:
            while self._outbox:
                reports: list[Report] = []
                ran = 0.0
                while self._outbox and len(reports) < _TOGETHER:
                    task, outcome, waited_ms, ran_ms = self._outbox.popleft()
                    if task.start_reported or ran_ms is None:
                        reports.append(Report(task.id, task.attempt, outcome))
                    else:
                        reports.append(Report(task.id, task.attempt, outcome, max(0.0, waited_ms or 0.0), ran_ms))
                    ran += (ran_ms or 0.0) / 1000
                self._appetite.record(len(reports), ran)
                await self._send(reports)
                self._held -= len(reports)
                if self.slots_blocked:
                    self._hinted.set()

    async def _send(self, reports: list[Report]) -> None:
        refused = await self._retry_forever(lambda: report(self._engine, self._me, reports))
        for job_id, error in refused.items():
            log.warning("the report on job %s came too late: %s", job_id, error.message)

    async def _give_back(self, postings: set[UUID] | None = None) -> None:
        """Let others have what has not begun here: all of it, or what belongs to these postings."""
        tasks: list[PoolJob] = []
        kept: deque[PoolJob] = deque()
        while self._hand:
            try:
                task = self._hand.pop()
            except IndexError:
                break  # the main thread was quicker
            if postings is None or task.posting_id in postings:
                tasks.append(task)
            else:
                kept.appendleft(task)
        if kept:
            self._hand.extend(kept)
            self._arrived.notify()
        if not tasks:
            return
        held = [(task.id, task.attempt) for task in tasks]
        waiting = await self._retry_forever(lambda: release_claimed(self._engine, self._me, held))
        called_off = [Report(task.id, task.attempt, Cancelled()) for task in tasks if task.id not in waiting]
        if called_off:
            await self._send(called_off)
        self._held -= len(tasks)

    async def _release_and_flush(self) -> None:
        await self._give_back()
        await self._flush()

    def _end(self) -> None:
        self._ends = True
        self.want_more.set()
        self._hinted.set()
        self._busy.set()
        self._arrived.notify()

    async def _retry_forever(self, call: Any) -> Any:
        """Do it, however long the database is away."""
        pause = 0.1
        while True:
            try:
                return await _awaited(call())
            except Unavailable as error:
                log.warning("process %d waits for the database: %s", os.getpid(), error.message)
                await asyncio.sleep(pause)
                pause = min(2 * pause, 5.0)


async def _awaited(coroutine: Coroutine[Any, Any, Any]) -> Any:
    return await coroutine
