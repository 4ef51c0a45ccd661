"""What the threads of a pool process share: the jobs it holds, and the signals between its parts.

The main thread takes jobs from the left end of `buffer` and appends outcomes to the right end of `outbox`. The database
thread does the opposite. Each step is one operation on a deque, so neither thread needs a lock. All `asyncio` events
belong to the loop of the database thread.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import NamedTuple
from uuid import UUID

from workroom.domain.jobs.outcomes import Outcome, Report
from workroom.worker.pool.batch_size import AdaptiveBatchSize
from workroom.worker.pool.job import PoolJob
from workroom.worker.pool.main_thread_wakeup import Wakeup


class FinishedJob(NamedTuple):
    """A job that the main thread is done with, until the database has acknowledged its outcome."""

    job: PoolJob
    outcome: Outcome
    size: int  # bytes of its result or error as JSON, about
    waited_ms: float | None = None  # from the claim to its start; None: it never ran
    ran_ms: float | None = None

    def report(self) -> Report:
        """A job whose start was not reported on its own is reported with the time it ran."""
        if self.job.start_reported or self.ran_ms is None:
            return Report(self.job.id, self.job.attempt, self.outcome)
        return Report(self.job.id, self.job.attempt, self.outcome, max(0.0, self.waited_ms or 0.0), self.ran_ms)


class PoolState:
    """One pool process, as its fetcher, completer and monitor see it."""

    def __init__(self) -> None:
        self.buffer: deque[PoolJob] = deque()  # received, not started
        self.current: tuple[PoolJob, float] | None = None  # set by the main thread: what runs, since when
        self.outbox: deque[FinishedJob] = deque()  # not acknowledged yet
        self.cancelled: set[UUID] = set()  # jobs held here whose cancellation was requested
        self.deprioritised: set[UUID] = set()  # postings that keep failing here
        self.batch_size = AdaptiveBatchSize()
        self.prefetch_at = 0  # when the buffer has shrunk to so many jobs, the next batch is fetched
        self.stopping = False  # start no further job
        self.is_claiming = False  # a claim is under way
        self.received = 0  # jobs received since the start
        self.held = 0  # jobs that the database counts as held here
        self.nothing_held = asyncio.Event()  # `held` has become zero
        self.last_outcome: Outcome | None = None  # of the last job that ran, set by the main thread
        self.slots_blocked = False  # the last claim may have been short because of reports not sent yet
        self.cancel_notified = False  # a notification may have meant a cancellation
        self.job_arrived = Wakeup()  # wakes the main thread
        self.want_more = asyncio.Event()  # the main thread has, or soon will have, nothing to run
        self.claim_requested = asyncio.Event()  # there may be something to claim
        self.flush_requested = asyncio.Event()
        self.has_jobs = asyncio.Event()  # something to monitor

    @property
    def is_idle(self) -> bool:
        return not self.buffer and not self.outbox and self.current is None

    def let_go(self, count: int) -> None:
        """So many jobs are no longer held here: the database has their outcomes, or other workers have the jobs."""
        self.held -= count
        if self.held == 0:
            self.nothing_held.set()

    def stop(self) -> None:
        """Start no further job. To be called on the loop."""
        self.stopping = True
        self.want_more.set()
        self.claim_requested.set()
        self.has_jobs.set()
        self.job_arrived.notify()
