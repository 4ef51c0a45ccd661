"""The pool: spawns processes, watches them, replaces those that end, and brings the queue's upkeep."""

from __future__ import annotations

import atexit
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from importlib.util import find_spec
from multiprocessing.connection import wait
from types import FrameType
from typing import TYPE_CHECKING, Any, ClassVar, Self

import structlog

from workroom.client.portal import background
from workroom.domain.errors import BadInput, WorkroomError
from workroom.domain.jobs.failures import timeout_error
from workroom.domain.jobs.outcomes import Failed, Report, Started
from workroom.domain.jobs.timing import Timing
from workroom.worker.loading import load
from workroom.worker.pool.process import ClusterProcess
from workroom.worker.pool.process_status import StatusSnapshot
from workroom.worker.postings.postgres_backend import database_url, open_postgres_backend
from workroom.worker.registry import Registry, check_share

if TYPE_CHECKING:
    from workroom.actions.engine import Engine
    from workroom.upkeep import Maintainer

log = logging.getLogger("workroom.pool")

_POLL_SECONDS = 0.1  # between looks at how long jobs have run
_UPKEEP_SECONDS = 1.0
_LONGEST_BACKOFF = 10.0


class ClusterPool:
    """So many processes that run the functions registered by the modules in `imports`.

    Use it in a `with` block, or let `run()` serve until Ctrl-C or SIGTERM. Subclasses may override `upkeep`, which is
    called about once a second and whenever a process has ended, and set `process_class`.
    """

    process_class: ClassVar[type[ClusterProcess]] = ClusterProcess

    def __init__(
        self,
        max_workers: int | None = None,
        imports: Sequence[str] = (),
        database: str | None = None,
        *,
        process_class: type[ClusterProcess] | None = None,
        timing: Timing | None = None,
        recycle_after: int | None = None,
        profile: float | None = None,
        **settings: Any,
    ) -> None:
        self.max_workers = max_workers or os.cpu_count() or 1
        if self.max_workers < 1:
            raise BadInput(f"max_workers must be at least 1, not {max_workers}.")
        self.imports = tuple(imports)
        self.workers: list[ClusterProcess] = []  # those that run now
        self.failure_count = 0  # how many ended badly so far
        self._database = database
        self._url = ""
        self._class = process_class or self.process_class
        self._timing = timing or Timing()
        self._engine: Engine | None = None
        self._maintainer: Maintainer | None = None
        self._settings: dict[str, Any] = {
            "timing": self._timing,
            "recycle_after": recycle_after,
            "profile": _profile_share(profile),
            **settings,
        }
        self._exited: list[ClusterProcess] = []  # what they held is still to be dealt with
        self._failed_starts = 0  # in a row, without ever having registered
        self._not_before = 0.0
        self._lock = threading.RLock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._stop_requests = 0
        self._loaded = False

    # Life ---------------------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Import what the processes will import: a mistake shows here and now, not in each of them."""
        if self._loaded:
            return
        for name in self.imports:
            load(name)
        if not len(Registry):
            raise BadInput(f"No function is registered by {', '.join(self.imports) or 'this program'}: use @job.")
        if find_spec("pyinstrument") is None and (wanting := [one.name for one in Registry.functions() if one.stacks]):
            raise BadInput(f"stacks=True of {', '.join(wanting)} needs pyinstrument: pip install 'workroom[stacks]'.")
        self._loaded = True

    def start(self) -> Self:
        """Spawn the processes; they work from now on."""
        if self._thread is not None:
            raise BadInput("The pool has been started before.")
        self.load()
        self._url = database_url(self._database)
        self._open()
        atexit.register(self.kill)
        with self._lock:
            self._spawn_missing()
        self._thread = threading.Thread(target=self._watch, name="pool", daemon=True)
        self._thread.start()
        return self

    def stop(self, timeout: float | None = None) -> None:
        """Let each process finish the job it runs and give back the rest; after `timeout` seconds, by force."""
        self._stopping.set()
        for worker in self.workers:
            if worker.is_alive():
                worker.terminate()
        deadline = None if timeout is None else time.monotonic() + timeout
        for worker in list(self.workers):
            while worker.is_alive() and self._stop_requests < 2 and (deadline is None or time.monotonic() < deadline):
                self._stop_overdue()
                worker.join(_POLL_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End every process now. What each ran counts as lost with it."""
        self._stopping.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        with self._lock:
            for worker in self.workers:
                worker.kill()
            for worker in self.workers:
                worker.join()
            self._exited += self.workers
            self.workers = []
            self._release_jobs_of_exited()
        self._close()
        atexit.unregister(self.kill)

    def run(self) -> None:
        """Serve until Ctrl-C or SIGTERM; at the second one, end by force."""

        def told(number: int, frame: FrameType | None) -> None:
            self._stop_requests += 1

        before = {number: signal.signal(number, told) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            self.start()
            while not self._stop_requests and not self._stopping.is_set():
                time.sleep(_POLL_SECONDS)
            log.info("finishing the jobs that run; once more to end at once")
            self.stop()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    # Upkeep -------------------------------------------------------------------------------------------------------

    def upkeep(self) -> None:
        """Deal with what processes that ended had in hand, and put others in their place."""
        with self._lock:
            ended = [worker for worker in self.workers if not worker.is_alive()]
            for worker in ended:
                self.workers.remove(worker)
                self._exited.append(worker)
                self._record_exit(worker)
            self._release_jobs_of_exited()
            if not self._stopping.is_set():
                self._spawn_missing()

    def _watch(self) -> None:
        last = 0.0
        while not self._stopping.is_set():
            ended = wait([worker.sentinel for worker in self.workers], _POLL_SECONDS)
            if not self.workers:
                time.sleep(_POLL_SECONDS)
            self._stop_overdue()
            if ended or time.monotonic() - last > _UPKEEP_SECONDS:
                last = time.monotonic()
                try:
                    self.upkeep()
                except Exception:
                    log.exception("upkeep of the pool failed")

    def _stop_overdue(self) -> None:
        for worker in self.workers:
            mark = worker.shared_status.read()
            if worker.timed_out_at is None and mark.overdue and worker.shared_status.read() == mark:
                log.warning("job %s ran longer than its %g s: its process ends", mark.job_id, mark.timeout)
                worker.timed_out_at = mark
                worker.kill()

    def _spawn_missing(self) -> None:
        if time.monotonic() < self._not_before:
            return
        while len(self.workers) < self.max_workers:
            worker = self._class(self._url, self.imports, **self._settings)
            worker.start()
            self.workers.append(worker)

    def _record_exit(self, worker: ClusterProcess) -> None:
        if worker.exitcode != 0:
            self.failure_count += 1
            log.warning("process %s ended with %s; another takes its place", worker.pid, worker.exitcode)
        if worker.shared_status.read().worker_id is not None:
            self._failed_starts = 0
        elif worker.exitcode != 0:
            # Something is wrong from the start, an import perhaps: do not spawn in circles.
            self._not_before = time.monotonic() + min(0.5 * 2**self._failed_starts, _LONGEST_BACKOFF)
            self._failed_starts += 1

    def _release_jobs_of_exited(self) -> None:
        """What dead processes held goes back, or counts as lost; what cannot be done now is done next time."""
        while self._exited:
            worker = self._exited[0]
            mark = worker.shared_status.read()
            try:
                if mark.worker_id is not None and self._engine is not None:
                    background().call(_release_jobs(self._engine, mark, worker.timed_out_at))
            except WorkroomError as error:
                log.warning("what process %s held is not dealt with yet: %s", worker.pid, error.message)
                return
            self._exited.pop(0)

    # The database -------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        from workroom.actions.engine import Engine
        from workroom.upkeep import Maintainer

        async def enter() -> None:
            database = (await open_postgres_backend(self._url)).engine.database
            self._engine = Engine(database, timing=self._timing, pushes=False)
            self._maintainer = await Maintainer(self._engine).__aenter__()

        if not structlog.is_configured():
            # In somebody's script the upkeep keeps quiet, and off the standard output, unless something is wrong.
            structlog.configure(
                logger_factory=structlog.PrintLoggerFactory(sys.stderr),
                wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
            )
        background().call(enter())

    def _close(self) -> None:
        async def leave() -> None:
            if self._maintainer is not None:
                await self._maintainer.__aexit__(None, None, None)
                self._maintainer = None

        background().call(leave())


def _profile_share(given: float | None) -> float | None:
    """The share of executions to profile: as asked, or as WORKROOM_PROFILE says; none: as the functions say."""
    if given is not None:
        return check_share(given)
    said = os.environ.get("WORKROOM_PROFILE", "").strip()
    try:
        return check_share(float(said)) if said else None
    except ValueError:
        raise BadInput(f"WORKROOM_PROFILE is the share of calls that are profiled, 0 to 1, not {said!r}.") from None


async def _release_jobs(engine: Engine, mark: StatusSnapshot, overran: StatusSnapshot | None) -> None:
    from workroom.actions.jobs.report import report
    from workroom.actions.workers.register import leave

    assert mark.worker_id is not None
    if overran is not None and overran.job_id is not None:
        outcome = Failed(timeout_error(overran.timeout))
        await report(
            engine, mark.worker_id, [Report(overran.job_id, overran.attempt, outcome, 0.0, overran.timeout * 1000)]
        )
    elif mark.job_id is not None:
        # The database may not know yet that it ran: the loss is to count.
        await report(engine, mark.worker_id, [Report(mark.job_id, mark.attempt, Started())])
    await leave(engine, mark.worker_id, reason="lost")
