"""The Celery worker: its tasks, and what starts and stops with it."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import celery.signals

from workroom.celery.app import RUN_EXTENSION, RUN_FUNCTION, celery_app
from workroom.domain.errors import BadInput, WorkroomError
from workroom.logs import get_logger
from workroom.worker.celery.extension_worker import ExtensionWorker
from workroom.worker.celery.function_processes import FunctionProcesses
from workroom.worker.celery.node_info import CeleryNode
from workroom.worker.walltime import Walltime

log = get_logger(__name__)

_BROKER_SECONDS = 10.0  # from the end of the last job to that of the process, with a broker that answers

# Each job runs in a process of its own, so Celery's part only waits. The other pools of Celery would fork this process
# with its threads, or replace the functions that its threads wait with.
_POOLS = ("threads", "solo")


class JobFailed(Exception):
    """The job that a message named has failed; its error is stored with the job."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What runs the jobs."""

    functions: FunctionProcesses | None
    extensions: ExtensionWorker | None


MakeParts = Callable[[CeleryNode], Parts]


class CeleryProgram:
    """Runs `celery worker` in this process, with the options that the user gave."""

    def __init__(self, broker: str, make_parts: MakeParts, walltime: Walltime | None = None) -> None:
        self._walltime = walltime
        self._failure: WorkroomError | None = None  # why it did not start
        self._make_parts = make_parts
        self._parts: Parts | None = None
        self._is_solo = False
        self._running = _RunningJobs()
        self.app = celery_app(broker)
        self.app.task(name=RUN_FUNCTION, throws=(JobFailed,))(self._run_function)
        self.app.task(name=RUN_EXTENSION, throws=(JobFailed,))(self._run_extension)

    def run(self, options: Sequence[str]) -> None:
        arguments = [*options]
        pool = _given_pool(arguments)
        self._is_solo = pool == "solo"
        if pool is None:
            arguments += ["--pool", _POOLS[0]]
        elif pool not in _POOLS:
            raise BadInput(
                f"--pool {pool} does not work here: each job runs in a process of its own anyway. "
                f"Leave --pool out, or use {' or '.join(_POOLS)}; --concurrency is the number of processes."
            )
        signals: Any = celery.signals
        signals.worker_init.connect(self._start, weak=False)
        signals.worker_shutting_down.connect(self._watch_end, weak=False)
        signals.worker_shutdown.connect(self._stop, weak=False)
        try:
            self.app.worker_main(["worker", *arguments])
        finally:
            self._stop()
            if self._failure is not None:
                raise self._failure from None

    def _start(self, sender: Any, **_: Any) -> None:
        """Called by Celery before it connects to the broker. Celery logs errors of its signals, and would go on."""
        try:
            self._start_parts(sender)
        except WorkroomError as error:
            self._failure = error
            raise SystemExit(1) from None
        if self._walltime is not None:
            threading.Thread(target=self._end_before, args=(self._walltime,), name="walltime", daemon=True).start()

    def _end_before(self, walltime: Walltime) -> None:
        """Shut down warm shortly before the walltime, and then end the jobs that still run."""
        time.sleep(walltime.seconds_left())
        log.info("the walltime ends in %.0f s: draining", walltime.ends_at - time.monotonic())
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(walltime.drain_seconds())
        parts = self._parts
        if parts is not None and parts.functions is not None:
            parts.functions.stop(0)

    def _watch_end(self, **_: Any) -> None:
        """Called by Celery once a signal asks it to end."""
        threading.Thread(target=self._end_without_broker, name="end without broker", daemon=True).start()

    def _end_without_broker(self) -> None:
        """Celery may wait without an end for a broker that is away or has lost a request; the jobs do not need it."""
        self._running.wait_until_none()
        time.sleep(_BROKER_SECONDS)
        if self._parts is None:
            return  # Celery has come to `worker_shutdown`
        log.warning("the broker does not answer: ending without it")
        self._stop()
        logging.shutdown()
        os._exit(0)

    def _start_parts(self, sender: Any) -> None:
        slots = sender.concurrency if isinstance(sender.concurrency, int) else os.cpu_count() or 1
        if self._is_solo:
            slots = 1
        parts = self._parts = self._make_parts(CeleryNode.here(slots, sorted(self.app.amqp.queues.consume_from)))
        if parts.functions is not None:
            parts.functions.start()
        if parts.extensions is not None:
            parts.extensions.start()
        if parts.functions is not None:
            parts.functions.wait_until_ready()

    def _stop(self, **_: Any) -> None:
        parts, self._parts = self._parts, None
        if parts is None:
            return
        if parts.extensions is not None:
            parts.extensions.stop()
        if parts.functions is not None:
            parts.functions.stop()

    def _run_function(self, job_id: str, attempt: int) -> str:
        with self._running:
            return _finished(self._parts.functions if self._parts else None, job_id, attempt)

    def _run_extension(self, job_id: str, attempt: int) -> str:
        with self._running:
            return _finished(self._parts.extensions if self._parts else None, job_id, attempt)


class _RunningJobs:
    """How many jobs this process runs."""

    def __init__(self) -> None:
        self._count = 0
        self._changed = threading.Condition()

    def __enter__(self) -> None:
        with self._changed:
            self._count += 1

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._count -= 1
            self._changed.notify_all()

    def wait_until_none(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._count == 0)


def _finished(part: FunctionProcesses | ExtensionWorker | None, job_id: str, attempt: int) -> str:
    """Run the job of a message, as the task's result: whether it ran here. A failed job is a failed task."""
    if part is None:
        return "not here"
    answer = part.run_job(UUID(job_id), attempt)
    if not answer["ran"]:
        return "not here"
    if answer["error"] is not None:
        raise JobFailed(answer["error"])
    return "ended"


def _given_pool(arguments: Sequence[str]) -> str | None:
    """The pool that Celery's options name."""
    for position, argument in enumerate(arguments):
        if argument in ("-P", "--pool"):
            return arguments[position + 1] if position + 1 < len(arguments) else ""
        if argument.startswith("--pool="):
            return argument.removeprefix("--pool=")
        if argument.startswith("-P") and not argument.startswith("--"):
            return argument.removeprefix("-P")
    return None
