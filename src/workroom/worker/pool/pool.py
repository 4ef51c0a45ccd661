"""The pool: spawns processes, kills those that overrun a timeout, replaces those that exit, and runs the upkeep."""

from __future__ import annotations

import atexit
import inspect
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from multiprocessing.connection import wait
from types import FrameType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from workroom.client.portal import background
from workroom.domain.errors import BadInput, WorkroomError
from workroom.domain.jobs.heartbeat_and_lease import Timing
from workroom.domain.jobs.job_error import timeout_error
from workroom.domain.jobs.outcomes import Failed, Report, Started
from workroom.domain.jobs.resources import Resources, checked_resources
from workroom.extras import require
from workroom.logs import get_logger
from workroom.worker.function_registry import Registry, check_share
from workroom.worker.loading import load
from workroom.worker.pool.process import ClusterProcess
from workroom.worker.pool.shared_status import StatusSnapshot
from workroom.worker.postings.postgres_backend import database_url, open_postgres_backend
from workroom.worker.walltime import Walltime

if TYPE_CHECKING:
    from workroom.actions.engine import Engine
    from workroom.upkeep import Maintainer

log = get_logger(__name__)

_POLL_SECONDS = 0.1  # between checks of the timeouts
_UPKEEP_SECONDS = 1.0
_LONGEST_BACKOFF = 10.0
# A process ends by itself at a job's timeout, after it has stored the outcomes of other jobs. One that does not,
# because the job holds the interpreter or the database is away, is killed after so many seconds more.
_TIMEOUT_GRACE = 1.0


class ClusterPool:
    """Processes that run the functions registered by the modules in `imports`.

    Use it in a `with` block, or let `run()` serve until Ctrl-C or SIGTERM. Subclasses may set `process_class`, and
    override `upkeep`, which is called about once a second and whenever a process has ended.
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
        offers: Resources | None = None,
        walltime: Walltime | None = None,
        **settings: Any,
    ) -> None:
        self.max_workers = max_workers or os.cpu_count() or 1
        if self.max_workers < 1:
            raise BadInput(f"max_workers must be at least 1, not {max_workers}.")
        self.imports = tuple(imports)
        self.workers: list[ClusterProcess] = []  # alive, as far as is known
        self.failure_count = 0  # how many exited with an error so far
        self._database = database
        self._url = ""
        self._class = process_class or self.process_class
        _check_settings(self._class, settings)
        self._timing = timing or Timing.from_environment(os.environ)
        self._engine: Engine | None = None
        self._maintainer: Maintainer | None = None
        self._walltime = walltime
        self._settings: dict[str, Any] = {
            "timing": self._timing,
            "recycle_after": recycle_after,
            "profile": _profile_share(profile),
            **settings,
        }
        # Only if given: subclasses of ClusterProcess need not take them.
        self._settings |= {"offers": checked_resources(offers)} if offers else {}
        self._settings |= {"walltime": walltime} if walltime is not None else {}
        self._exited: list[ClusterProcess] = []  # the jobs they held are not released yet
        self._failed_starts = 0  # in a row, before the process had registered
        self._not_before = 0.0
        self._lock = threading.RLock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._stop_requests = 0
        self._loaded = False

    # Life cycle ---------------------------------------------------------------------------------------------------

    def load(self) -> None:
        """Import what the processes will import, so that an error is raised here and not in each of them."""
        if self._loaded:
            return
        self._load_functions()
        if not len(Registry):
            raise BadInput(f"No function is registered by {', '.join(self.imports) or 'this program'}: use @job.")
        if (unloadable := _defined_without_a_file()) and len(unloadable) == len(Registry):
            raise BadInput(
                f"{', '.join(unloadable)} cannot be loaded by the processes of the pool: a notebook or prompt defines "
                f"them. Write them to a file, e.g. with %%writefile tasks.py, and name it: imports=['tasks.py']."
            )
        if names := [function.name for function in Registry.functions() if function.stacks]:
            require(["pyinstrument"], f"stacks=True of {', '.join(names)}")
        self._loaded = True

    def _load_functions(self) -> None:
        for name in self.imports:
            load(name)

    def start(self) -> Self:
        """Spawn the processes, which start to work."""
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
        """Let each process finish its current job and release the rest; kill it after `timeout` seconds."""
        self._stopping.set()
        with self._lock:  # an upkeep that is starting a process ends first, so that this one is stopped too
            workers = list(self.workers)
        for worker in workers:
            if worker.is_alive():
                worker.terminate()
        deadline = None if timeout is None else time.monotonic() + timeout
        for worker in workers:
            while worker.is_alive() and self._stop_requests < 2 and (deadline is None or time.monotonic() < deadline):
                self._stop_overdue()
                worker.join(_POLL_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Kill every process. The jobs that they ran count as lost."""
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
        """Serve until Ctrl-C, SIGTERM or shortly before the walltime; a second signal kills the processes."""

        def on_signal(number: int, frame: FrameType | None) -> None:
            self._stop_requests += 1

        before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            self.start()
            while not self._stop_requests and not self._stopping.is_set() and not self._is_time_to_end():
                time.sleep(_POLL_SECONDS)
            log.info("stopping: waiting for the running jobs; a second signal ends them")
            self.stop(None if self._walltime is None else self._walltime.drain_seconds())
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _is_time_to_end(self) -> bool:
        return self._walltime is not None and not self._walltime.seconds_left()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    # Upkeep -------------------------------------------------------------------------------------------------------

    def upkeep(self) -> None:
        """Release the jobs of processes that have exited, and start others in their place."""
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
            status = worker.shared_status.read()
            overdue = status.is_overdue(_TIMEOUT_GRACE)
            if worker.timed_out_at is None and overdue and worker.shared_status.read() == status:
                log.warning("job %s ran longer than %g s: its process is killed", status.job_id, status.timeout)
                worker.timed_out_at = status
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
            is_stopping = self._stopping.is_set() or self._stop_requests > 0
            then = "the pool stops" if is_stopping else "starting another"
            log.warning("process %s exited with code %s: %s", worker.pid, worker.exitcode, then)
        if worker.shared_status.read().worker_id is not None:
            self._failed_starts = 0
        elif worker.exitcode != 0:
            # It failed before it registered, perhaps with an import error: back off before the next start.
            self._not_before = time.monotonic() + min(0.5 * 2**self._failed_starts, _LONGEST_BACKOFF)
            self._failed_starts += 1

    def _release_jobs_of_exited(self) -> None:
        """Release the jobs that exited processes held. What fails now is repeated at the next upkeep."""
        while self._exited:
            worker = self._exited[0]
            status = worker.shared_status.read()
            try:
                if status.worker_id is not None and self._engine is not None:
                    background().call(_release_jobs(self._engine, status, worker.timed_out_at))
            except WorkroomError as error:
                log.warning("the jobs of process %s are not released yet: %s", worker.pid, error.message)
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

        background().call(enter())

    def _close(self) -> None:
        async def leave() -> None:
            if self._maintainer is not None:
                await self._maintainer.__aexit__(None, None, None)
                self._maintainer = None

        background().call(leave())


def _profile_share(given: float | None) -> float | None:
    """The share of executions to profile: the argument, else WORKROOM_PROFILE, else None (each function's own)."""
    if given is not None:
        return check_share(given)
    value = os.environ.get("WORKROOM_PROFILE", "").strip()
    try:
        return check_share(float(value)) if value else None
    except ValueError:
        raise BadInput(f"WORKROOM_PROFILE is the share of calls that are profiled, 0 to 1, not {value!r}.") from None


async def _release_jobs(engine: Engine, status: StatusSnapshot, timed_out_at: StatusSnapshot | None) -> None:
    """Report the job that ran in an exited process, and unregister it, which releases the others."""
    from workroom.actions.jobs.report import report
    from workroom.actions.workers.lifecycle import leave

    assert status.worker_id is not None
    if timed_out_at is not None and timed_out_at.job_id is not None:
        outcome = Failed(timeout_error(timed_out_at.timeout))
        ran_ms = timed_out_at.timeout * 1000
        await report(
            engine, status.worker_id, [Report(timed_out_at.job_id, timed_out_at.attempt, outcome, 0.0, ran_ms)]
        )
    elif status.job_id is not None:
        # The start may not have been reported yet. Only a job that started counts as lost.
        await report(engine, status.worker_id, [Report(status.job_id, status.attempt, Started())])
    await leave(engine, status.worker_id, reason="lost")


def _check_settings(kind: type[ClusterProcess], settings: Mapping[str, Any]) -> None:
    """Refuse settings that the processes do not take here, and not in each process that is started."""
    parameters = inspect.signature(kind.__init__).parameters
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return
    unknown = sorted(set(settings) - set(parameters))
    if unknown:
        known = sorted({"max_workers", "process_class", *parameters} - {"self"})
        raise TypeError(f"ClusterPool takes no {', '.join(unknown)}. It takes {', '.join(known)}.")


def _defined_without_a_file() -> list[str]:
    """The functions that a notebook or a prompt defines: other processes cannot import them."""
    if getattr(sys.modules.get("__main__"), "__file__", None) is not None:
        return []
    return [function.name for function in Registry.functions() if function.call.__module__ == "__main__"]
