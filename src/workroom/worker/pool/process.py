"""A process of a pool: runs one job after the other in its main thread."""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import TYPE_CHECKING, Any
from uuid import UUID

import orjson

from workroom.domain import limits
from workroom.domain.errors import BadInput, TooLarge
from workroom.domain.jobs.failures import exception_error
from workroom.domain.jobs.outcomes import Cancelled, Failed, Outcome, Succeeded
from workroom.domain.jobs.timing import Timing
from workroom.domain.value_codec import pack
from workroom.worker.pool.process_status import SharedStatus, StatusSnapshot
from workroom.worker.pool.sampler import Sampler
from workroom.worker.registry import Registry

if TYPE_CHECKING:
    from workroom.worker.pool.fetcher import JobFetcher
    from workroom.worker.pool.job import PoolJob

log = logging.getLogger("workroom.pool")

_DEPRIORITISE_AFTER = 20


class ClusterProcess(SpawnProcess):
    """Runs jobs of all functions that the modules in `imports` register. Subclasses may override the two hooks."""

    def __init__(
        self,
        database: str,
        imports: Sequence[str] = (),
        *,
        timing: Timing | None = None,
        recycle_after: int | None = None,
        set_aside_after: int = _DEPRIORITISE_AFTER,
        profile: float | None = None,
    ) -> None:
        super().__init__()
        self.database = database
        self.imports = tuple(imports)
        self.timing = timing or Timing()
        self.recycle_after = recycle_after
        self.set_aside_after = set_aside_after
        self.profile = profile
        self.shared_status = SharedStatus()
        self.parent_pid = os.getpid()
        self.timed_out_at: StatusSnapshot | None = None  # set by the pool: the job for which it stopped this process
        self._failures: Counter[UUID] = Counter()
        self._courier: JobFetcher | None = None

    def _pre_run_init(self) -> None:
        """Called once in the new process, before its first job. Open what jobs need here."""

    def process_job(self, job: PoolJob) -> Any:
        """Run one job. Called for each; what it raises fails the attempt."""
        return job.execute()

    def run(self) -> None:
        """The life of the process."""
        from workroom.worker.loading import load
        from workroom.worker.pool.fetcher import JobFetcher

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the pool, which then asks each process
        signal.signal(signal.SIGTERM, self._end)
        sys.setswitchinterval(0.001)  # the courier, beside a busy main thread, gets its word in
        os.environ["WORKROOM_DATABASE"] = self.database  # what jobs post in turn goes to the same place
        for name in self.imports:
            load(name)
        if not len(Registry):
            raise BadInput(f"No function is registered by {', '.join(self.imports) or 'this program'}: use @job.")
        self._pre_run_init()
        functions = Registry.functions()
        sampler = Sampler(functions, self.profile)
        self._courier = courier = JobFetcher(
            self.database, functions, self.shared_status, self.timing, self.parent_pid, sampler
        )
        courier.start()
        try:
            self._work(courier, sampler)
        finally:
            courier.finish()

    def _end(self, number: int, frame: FrameType | None) -> None:
        if self._courier is None:
            os._exit(0)  # nothing was begun
        self._courier.ask_to_end()

    def _work(self, courier: JobFetcher, sampler: Sampler) -> None:
        done = 0
        while self.recycle_after is None or done < self.recycle_after:
            task = courier.next_task()
            if task is None:
                return
            if task.id in courier.cancelled:
                courier.deliver(task, Cancelled(), None, None)
                continue
            if task.at_most_once and not courier.confirm(task):
                continue
            sampler.maybe_profile(task)
            begun = time.perf_counter()
            self.shared_status.begin(task.id, task.attempt, task.function.timeout)
            courier.current = (task, begun)
            outcome = self._outcome(task)
            ended = time.perf_counter()
            courier.current = None
            self.shared_status.idle()
            self._track_failures(task, outcome, courier)
            courier.deliver(task, outcome, (begun - task.claimed_at) * 1000, (ended - begun) * 1000)
            if task.sample is not None:
                sampler.finished(task.sample)
            done += 1

    def _outcome(self, task: PoolJob) -> Outcome:
        try:
            result = pack(task.result(self.process_job(task)), "The result")
            if type(result) in (str, list, dict):
                _check_size(result)
            return Succeeded(result)
        except BaseException as error:
            return Failed(exception_error(error))

    def _track_failures(self, task: PoolJob, outcome: Outcome, courier: JobFetcher) -> None:
        """A posting that keeps failing here is set aside: others come first, until a job of it succeeds."""
        succeeded = type(outcome) is Succeeded
        if succeeded and not self._failures:
            return
        posting = task.posting_id
        if posting is None:
            return
        if succeeded:
            self._failures.pop(posting, None)
            courier.deprioritised.discard(posting)
            return
        self._failures[posting] += 1
        if self._failures[posting] == self.set_aside_after:
            log.warning(
                "posting %s of %s failed %d times in a row in process %d: others come first now",
                posting,
                task.name,
                self.set_aside_after,
                os.getpid(),
            )
            courier.deprioritised.add(posting)


def _check_size(result: Any) -> None:
    size = len(orjson.dumps(result))
    if size > limits.RESULT_BYTES:
        raise TooLarge(f"The result takes {size:,} bytes; at most {limits.RESULT_BYTES:,} are kept.")
