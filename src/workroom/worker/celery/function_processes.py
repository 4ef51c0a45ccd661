"""Processes of a pool that run the calls that Celery's messages name."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, ClassVar
from uuid import UUID

import orjson

from workroom.worker.celery.claim_named_jobs import READY, REFUSED, RequestedJobs
from workroom.worker.celery.node_info import CeleryNode
from workroom.worker.loading import load
from workroom.worker.pool.completer import Completer
from workroom.worker.pool.fetcher import JobFetcher
from workroom.worker.pool.pool import ClusterPool
from workroom.worker.pool.process import ClusterProcess
from workroom.worker.pool.state import PoolState
from workroom.worker.pool.worker_registration import PoolSession

_LOOK_SECONDS = 0.02
_START_TIMEOUT = 60.0  # seconds until a process must be ready


def load_functions(imports: Sequence[str]) -> None:
    """Import modules. Their functions are registered, and so are their Celery tasks."""
    from workroom.worker.celery.tasks_as_functions import register_tasks

    for name in imports:
        register_tasks(load(name))


class RequestedProcess(ClusterProcess):
    """Runs one call at a time, when its parent names it."""

    def __init__(self, database: str, imports: Sequence[str] = (), *, node: CeleryNode, **settings: Any) -> None:
        super().__init__(database, imports, **settings)
        self.celery_info: dict[str, Any] | None = node.as_info()
        # A pair of plain connections on Linux; the types also describe Windows.
        ends: tuple[Any, Any] = Pipe()
        self.parent_end: Connection = ends[0]
        self.requests: Connection | None = ends[1]
        self.is_busy = False  # set by the parent
        self.is_ready = False

    def start(self) -> None:
        super().start()
        assert self.requests is not None
        self.requests.close()  # so that the end of the process ends the connection

    def _load_functions(self) -> None:
        load_functions(self.imports)

    def _make_fetcher(self, state: PoolState, session: PoolSession, completer: Completer) -> JobFetcher:
        assert self.requests is not None
        return RequestedJobs(state, session, completer, self.requests)

    def __getstate__(self) -> dict[str, Any]:
        """What the new process gets: not the end of the parent."""
        return self.__dict__ | {"parent_end": None}

    def ask(self, job_id: UUID, attempt: int) -> dict[str, Any]:
        """Run a job here, and wait for its outcome. EOFError or OSError when the process ends."""
        self.parent_end.send_bytes(orjson.dumps([str(job_id), attempt]))
        return orjson.loads(self.parent_end.recv_bytes())

    def becomes_ready(self) -> bool:
        """Whether it has registered and waits for a job."""
        try:
            if not self.is_ready and self.parent_end.poll():
                self.is_ready = self.parent_end.recv_bytes() == READY
        except (EOFError, OSError):
            return False
        return self.is_ready


class FunctionProcesses(ClusterPool):
    """As many processes as Celery runs tasks at a time. The pool replaces those that end, and releases their jobs."""

    process_class: ClassVar[type[ClusterProcess]] = RequestedProcess

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._choosing = threading.Lock()

    def _load_functions(self) -> None:
        load_functions(self.imports)

    def run_job(self, job_id: UUID, attempt: int) -> dict[str, Any]:
        """Run a call in an idle process; returns whether it ran here, and its error.

        A process may end just when it is asked. Then another one is asked: it gets the job only if it still waits.
        """
        for _ in range(3):
            process = self._take()
            if process is None:
                return REFUSED
            try:
                return process.ask(job_id, attempt)
            except (EOFError, OSError):
                continue
            finally:
                process.is_busy = False
        return REFUSED

    def wait_until_ready(self) -> None:
        """Wait for the first process, so that no message arrives before a call can run."""
        process = self._take()
        if process is not None:
            process.is_busy = False

    def _take(self) -> RequestedProcess | None:
        deadline = time.monotonic() + _START_TIMEOUT
        while time.monotonic() < deadline and not self._stopping.is_set():
            with self._choosing:
                for process in list(self.workers):
                    assert isinstance(process, RequestedProcess)
                    if not process.is_busy and process.is_alive() and process.becomes_ready():
                        process.is_busy = True
                        return process
            time.sleep(_LOOK_SECONDS)
        return None
