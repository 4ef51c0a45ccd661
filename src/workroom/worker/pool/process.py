"""A process of a pool: its main thread runs one job after the other."""

from __future__ import annotations

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

from workroom import logs
from workroom.domain import limits
from workroom.domain.errors import BadInput, TooLarge
from workroom.domain.jobs.heartbeat_and_lease import Timing
from workroom.domain.jobs.job_error import exception_error, refused_error
from workroom.domain.jobs.outcomes import Cancelled, Failed, Outcome, Succeeded
from workroom.domain.jobs.resources import Resources
from workroom.domain.values.codec import pack
from workroom.logs import get_logger
from workroom.worker.execution.start_and_end_log import JobLog
from workroom.worker.function_registry import Registry
from workroom.worker.pool.profiled_executions import Sampler
from workroom.worker.pool.shared_status import SharedStatus, StatusSnapshot
from workroom.worker.walltime import Walltime

if TYPE_CHECKING:
    from workroom.worker.pool.completer import Completer
    from workroom.worker.pool.database_thread import DatabaseThread
    from workroom.worker.pool.fetcher import JobFetcher
    from workroom.worker.pool.job import PoolJob
    from workroom.worker.pool.state import PoolState
    from workroom.worker.pool.worker_registration import PoolSession

log = get_logger(__name__)

_DEPRIORITISE_AFTER = 20  # failures in a row
_SMALL_BYTES = 64  # of an outcome without a large result


class ClusterProcess(SpawnProcess):
    """Runs jobs of all functions that the modules in `imports` register. Subclasses may override the two hooks."""

    def __init__(
        self,
        database: str,
        imports: Sequence[str] = (),
        *,
        timing: Timing | None = None,
        recycle_after: int | None = None,
        deprioritise_after: int = _DEPRIORITISE_AFTER,
        profile: float | None = None,
        offers: Resources | None = None,
        walltime: Walltime | None = None,
    ) -> None:
        super().__init__()
        self.database = database
        self.imports = tuple(imports)
        self.timing = timing or Timing()
        self.recycle_after = recycle_after
        self.deprioritise_after = deprioritise_after
        self.profile = profile
        self.celery_info: dict[str, Any] | None = None  # of a Celery worker's process: claims what its parent names
        self.offers = offers
        self.walltime = walltime
        self.log_settings = logs.settings()  # of the pool, for this process
        self.shared_status = SharedStatus()
        self.parent_pid = os.getpid()
        self.timed_out_at: StatusSnapshot | None = None  # set by the pool when it ends this process for a timeout
        self._failures: Counter[UUID] = Counter()
        self._database_thread: DatabaseThread | None = None

    def _pre_run_init(self) -> None:
        """Called once in the new process, before its first job. Open here what jobs need."""

    def process_job(self, job: PoolJob) -> Any:
        """Run one job. Called for each job; an exception fails the attempt."""
        return job.execute()

    def run(self) -> None:
        """Run jobs until the pool ends the process."""
        from workroom.confinement.memory_privacy import protect_memory
        from workroom.worker.pool.database_thread import DatabaseThread

        if self.log_settings is not None:
            logs.configure(*self.log_settings)
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(line_buffering=True)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
        protect_memory()  # it holds the URL of the database, with a password
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the pool too, which then stops each process
        signal.signal(signal.SIGTERM, self._on_terminate)
        sys.setswitchinterval(0.001)  # the database thread must get its turn beside a busy main thread
        if self.database != os.environ.get("WORKROOM_DATABASE"):
            os.environ.pop("WORKROOM_POOLER", None)  # it leads to another database
        os.environ["WORKROOM_DATABASE"] = self.database  # jobs that post use the same database
        self._load_functions()
        if not len(Registry):
            raise BadInput(f"No function is registered by {', '.join(self.imports) or 'this program'}: use @job.")
        self._pre_run_init()
        functions = Registry.functions()
        sampler = Sampler(functions, self.profile)
        self._database_thread = thread = DatabaseThread(
            self.database,
            functions,
            self.shared_status,
            self.timing,
            self.parent_pid,
            sampler,
            self.celery_info,
            self._make_fetcher,
            resources=self.offers,
            walltime=self.walltime,
        )
        thread.start()
        try:
            self._run_jobs(thread, sampler)
        finally:
            thread.finish()

    def _load_functions(self) -> None:
        from workroom.worker.loading import load

        for name in self.imports:
            load(name)

    def _make_fetcher(self, state: PoolState, session: PoolSession, completer: Completer) -> JobFetcher:
        """What fetches the jobs of this process."""
        from workroom.worker.pool.fetcher import JobFetcher

        return JobFetcher(state, session, completer)

    def _on_terminate(self, number: int, frame: FrameType | None) -> None:
        if self._database_thread is None:
            os._exit(0)  # no job was started
        self._database_thread.request_stop()

    def _run_jobs(self, thread: DatabaseThread, sampler: Sampler) -> None:
        from workroom.worker.pool.state import FinishedJob

        state = thread.state
        job_log = JobLog()
        done = 0
        while self.recycle_after is None or done < self.recycle_after:
            job = thread.next_job()
            if job is None:
                return
            if job.id in state.cancelled:
                thread.deliver(FinishedJob(job, Cancelled(), _SMALL_BYTES))
                continue
            if self.walltime is not None and not self.walltime.fits(job.function.timeout):
                thread.hand_back(job)  # and the rest: the pool starts another process, which claims what fits
                return
            if job.at_most_once and not thread.confirm_start(job):
                continue
            sampler.maybe_profile(job)
            started = time.perf_counter()
            self.shared_status.begin(job.id, job.attempt, job.function.timeout)
            state.current = (job, started)
            job_log.started(job.id, job.name, job.attempt)
            outcome, size = self._perform(job)
            ended = time.perf_counter()
            state.current = None
            self.shared_status.idle()
            job_log.ended(job.id, job.name, job.attempt, outcome, ended - started)
            self._track_failures(job, outcome, state.deprioritised)
            waited_ms, ran_ms = (started - job.claimed_at) * 1000, (ended - started) * 1000
            thread.deliver(FinishedJob(job, outcome, size, waited_ms, ran_ms))
            if job.sample is not None:
                sampler.finished(job.sample)
            done += 1

    def _perform(self, job: PoolJob) -> tuple[Outcome, int]:
        """The outcome, and about how many bytes it takes as JSON."""
        refusable = True  # while the error is about a value, and not one of the function
        try:
            job.load()
            refusable = False
            returned = job.result(self.process_job(job))
            if not job.function.keep_result:
                return Succeeded(), _SMALL_BYTES
            refusable = True
            result = pack(returned, "The result")
            size = _checked_size(result) if type(result) in (str, list, dict) else _SMALL_BYTES
            return Succeeded(result), size
        except BaseException as raised:
            error = refused_error(raised) if refusable else exception_error(raised)
            return Failed(error), sum(len(text) for text in error.values())

    def _track_failures(self, job: PoolJob, outcome: Outcome, deprioritised: set[UUID]) -> None:
        """Deprioritise a posting that keeps failing here, until one of its jobs succeeds."""
        succeeded = type(outcome) is Succeeded
        if succeeded and not self._failures:
            return
        posting = job.posting_id
        if posting is None:
            return
        if succeeded:
            self._failures.pop(posting, None)
            deprioritised.discard(posting)
            return
        self._failures[posting] += 1
        if self._failures[posting] == self.deprioritise_after:
            log.warning(
                "posting %s of %s failed %d times in a row in process %d: it is deprioritised while others wait",
                posting,
                job.name,
                self.deprioritise_after,
                os.getpid(),
            )
            deprioritised.add(posting)


def _checked_size(result: Any) -> int:
    size = len(orjson.dumps(result))
    if size > limits.RESULT_BYTES:
        raise TooLarge(
            f"The result takes {size:,} bytes; at most {limits.RESULT_BYTES:,} are kept. Write it to a file or a room, "
            f"or use @job(keep_result=False)."
        )
    return size
