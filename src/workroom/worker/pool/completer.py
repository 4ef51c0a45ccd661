"""Reports the outcomes of finished jobs in batches, and releases jobs that this process will not run.

A report leaves the outbox only after the database has acknowledged it. Sending one again is harmless: the database
accepts a duplicate. So a flush that fails or is cancelled never loses the outcome of a call that has returned. An
outcome that the database refuses to store becomes the failure of its own job, and does not hold up the others.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from uuid import UUID

import psycopg

from workroom.actions.jobs.report import report
from workroom.actions.jobs.rescue import release_claimed
from workroom.domain.errors import BadInput, WorkroomError
from workroom.domain.ids import made_at
from workroom.domain.jobs.ended_job_counts import HistoryKey
from workroom.domain.jobs.job_error import refused_error
from workroom.domain.jobs.latency import RUN, WAIT, LatencyCounts
from workroom.domain.jobs.outcomes import Cancelled, Failed, Report, Started
from workroom.logs import get_logger
from workroom.worker.pool.job import PoolJob
from workroom.worker.pool.state import FinishedJob, PoolState
from workroom.worker.pool.worker_registration import PoolSession

log = get_logger(__name__)

BATCH_REPORTS = 1_000
# PostgreSQL refuses more than 256 MB of jsonb in one value. A list of small integers takes six times as much there as
# in JSON, so a batch stays well below that.
BATCH_BYTES = 16_000_000
_TIMED_FOR_HISTORY = 20  # jobs of a batch


class Completer:
    """The only part that sends reports; one batch at a time."""

    def __init__(self, state: PoolState, session: PoolSession) -> None:
        self._state = state
        self._session = session
        self._sending = asyncio.Lock()

    @property
    def latencies(self) -> LatencyCounts:
        """How long the reported jobs waited and ran."""
        return self._session.engine.latencies

    @property
    def is_sending(self) -> bool:
        return self._sending.locked()

    async def run(self) -> None:
        while True:
            await self._state.flush_requested.wait()
            self._state.flush_requested.clear()
            await self.flush()

    async def flush(self) -> None:
        """Report everything in the outbox."""
        state = self._state
        async with self._sending:
            while batch := self._next_batch():
                state.batch_size.record(len(batch), sum(finished.ran_ms or 0.0 for finished in batch) / 1000)
                await self._send([finished.report() for finished in batch])
                self._count_times(batch)
                for _ in batch:
                    state.outbox.popleft()
                state.let_go(len(batch))
                if state.slots_blocked:
                    state.claim_requested.set()

    async def confirm_start(self, job: PoolJob) -> bool:
        """Report that a job starts before it does; whether this worker still owns it."""
        started = Report(job.id, job.attempt, Started())
        refused = await self._session.retry_forever(
            lambda: report(self._session.engine, self._session.worker_id, [started])
        )
        job.start_reported = True
        self._state.let_go(len(refused))
        return not refused

    async def report_start(self, job: PoolJob) -> None:
        """Report that a job has been running for a while."""
        # Never beside the report of its end, which would be refused if it arrived first.
        async with self._sending:
            if self._state.current is not None and self._state.current[0] is job:
                job.start_reported = True
                await self._send([Report(job.id, job.attempt, Started())])

    async def report_stopped(self, finished: FinishedJob) -> None:
        """Report the end of the job that runs, just before this process ends with it."""
        async with self._sending:
            await self._send([finished.report()])

    async def release(self, postings: set[UUID] | None = None) -> None:
        """Return jobs that have not started to the queue: all of them, or those of these postings."""
        jobs = self._take_from_buffer(postings)
        if not jobs:
            return
        session = self._session
        held = [(job.id, job.attempt) for job in jobs]
        released = await session.retry_forever(lambda: release_claimed(session.engine, session.worker_id, held))
        cancelled = [Report(job.id, job.attempt, Cancelled()) for job in jobs if job.id not in released]
        if cancelled:
            await self._send(cancelled)
        self._state.let_go(len(jobs))

    async def release_and_flush(self) -> None:
        await self.release()
        await self.flush()

    def _next_batch(self) -> list[FinishedJob]:
        batch: list[FinishedJob] = []
        size = 0
        # By position: the main thread may append meanwhile, which would end an iteration with an error.
        for position in range(min(len(self._state.outbox), BATCH_REPORTS)):
            finished = self._state.outbox[position]
            size += finished.size
            if batch and size > BATCH_BYTES:
                break
            batch.append(finished)
        return batch

    async def _send(self, reports: list[Report]) -> None:
        try:
            await self._write(reports)
        except (WorkroomError, psycopg.Error) as error:
            # The database is there and refuses a value. Halving the batch finds it, and the others are stored.
            if len(reports) == 1:
                await self._fail_refused(reports[0], error)
                return
            half = len(reports) // 2
            await self._send(reports[:half])
            await self._send(reports[half:])

    async def _fail_refused(self, refused: Report, error: WorkroomError | psycopg.Error) -> None:
        """Fail a job whose outcome the database refuses, with the reason."""
        if isinstance(error, psycopg.Error):
            reason = error.diag.message_primary or type(error).__name__
            error = BadInput(f"The database cannot store the outcome of the job: {reason}.")
        log.warning("job %s: its outcome cannot be stored, so it fails: %s", refused.job_id, error.message)
        try:
            await self._write([refused._replace(outcome=Failed(refused_error(error)))])
        except (WorkroomError, psycopg.Error):
            log.exception("job %s: its failure cannot be stored either; the job is released later", refused.job_id)

    async def _write(self, reports: list[Report]) -> None:
        session = self._session
        refused = await session.retry_forever(lambda: report(session.engine, session.worker_id, reports))
        for job_id, error in refused.items():
            log.warning("job %s: report refused, its outcome is dropped: %s", job_id, error.message)

    def _count_times(self, batch: list[FinishedJob]) -> None:
        """Lists instead of a loop with calls: this runs for every job."""
        latencies = self.latencies
        clock = time.time() - time.perf_counter()  # what to add to a time of the main thread
        ran = [finished for finished in batch if finished.ran_ms is not None]
        latencies.add_all(RUN, [(one.ran_ms or 0.0) * 0.001 for one in ran])
        latencies.add_all(
            WAIT, [one.job.claimed_at + (one.waited_ms or 0.0) * 0.001 + clock - made_at(one.job.id) for one in ran]
        )
        # Percentiles need only some of many.
        for one in ran[:: len(ran) // _TIMED_FOR_HISTORY + 1]:
            waited = one.job.claimed_at + (one.waited_ms or 0.0) * 0.001 + clock - made_at(one.job.id)
            key = HistoryKey(one.job.extension_id, None, one.job.posting_id)
            self._session.engine.history.add_times(key, waited, (one.ran_ms or 0.0) * 0.001)

    def _take_from_buffer(self, postings: set[UUID] | None) -> list[PoolJob]:
        buffer = self._state.buffer
        taken: list[PoolJob] = []
        kept: deque[PoolJob] = deque()
        while buffer:
            try:
                job = buffer.pop()
            except IndexError:
                break  # the main thread took the last one
            if postings is None or job.posting_id in postings:
                taken.append(job)
            else:
                kept.appendleft(job)
        if kept:
            buffer.extend(kept)
            self._state.job_arrived.notify()
        return taken
