"""The program of a job process: `python -m workroom.worker.processes.child FD`.

Messages from the worker arrive on the standard input, one JSON object a line. Progress and outcomes are written to FD.
When the standard input ends, the worker is dead: this process kills itself and everything that it started.
"""

from __future__ import annotations

import importlib
import logging
import os
import queue
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import orjson

from workroom.client.arguments import restore
from workroom.client.net.http import ApiClient, http_client
from workroom.client.portal import background
from workroom.domain.jobs.outcomes import Cancelled, Failed, Outcome, Succeeded
from workroom.worker.execution import tqdm_patch
from workroom.worker.execution.execution_state import Execution, Stop
from workroom.worker.execution.executors import run_inline
from workroom.worker.execution.job_room import JobRoom, JobTokens
from workroom.worker.execution.outcome_conversion import failure
from workroom.worker.execution.tasks import ChoicesTask, ExtensionTask, OfferedTask
from workroom.worker.loading import load_class, load_file
from workroom.worker.processes.limits import limit_cpu_seconds
from workroom.worker.processes.output import END_OF_OUTPUT
from workroom.worker.processes.workspace import JobWorkspace
from workroom.worker.remote.assignment_message import Assignment
from workroom.worker.remote.offers import Offer


class ChildRunner:
    """Runs the jobs that the worker sends, one after the other, in the main thread."""

    def __init__(self, control_in: IO[bytes], control_out: IO[bytes]) -> None:
        self._control_in = control_in
        self._control_out = control_out
        self._write_lock = threading.Lock()  # one message at a time
        self._queue: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._execution: Execution | None = None
        self._workspace: JobWorkspace | None = None
        self._classes: dict[bytes, Any] = {}
        self._http_clients: dict[str, Any] = {}  # by URL; reused by the next job

    def run(self) -> None:
        threading.Thread(target=self._read_control, name="control", daemon=True).start()
        while True:
            match message := self._queue.get():
                case {"warm": warm}:
                    self._warm_up(warm)
                case {"assignment": _}:
                    self._run_job(message)
                    if message.get("last"):
                        return
                case _:
                    raise AssertionError(message)

    def send(self, message: dict[str, Any]) -> None:
        with self._write_lock:
            self._control_out.write(orjson.dumps(message) + b"\n")
            self._control_out.flush()

    def _read_control(self) -> None:
        for line in self._control_in:
            match message := orjson.loads(line):
                case {"stop": why}:
                    if self._execution is not None:
                        self._execution.request_stop(Stop(why))
                case _:
                    self._queue.put(message)
        os.killpg(0, signal.SIGKILL)

    def _warm_up(self, warm: dict[str, Any]) -> None:
        sys.path[:] = warm["path"]
        for name in warm["modules"]:
            module = load_file(Path(name)) if name.endswith(".py") else importlib.import_module(name)
            for extra in getattr(module, "WARM_UP", ()):
                with suppress(ImportError):  # a missing package fails the job that needs it
                    importlib.import_module(extra)
        self._workspace = JobWorkspace(warm["memoryMb"])
        self.send({"ready": True})

    def _run_job(self, job: dict[str, Any]) -> None:
        assignment = Assignment.model_validate(job["assignment"])
        reporter: Any = _PipeReporter(self)
        self._execution = execution = Execution(assignment, reporter)
        if self._workspace is not None:
            self._workspace.enter()
            limit_cpu_seconds(assignment.timeout_seconds)
        message = _as_message(self._perform(execution, job))
        self._execution = None
        _end_output(job["mark"])
        self.send(message)
        if self._workspace is not None:
            limit_cpu_seconds(None)
            self.send({"idle": self._workspace.leave()})

    def _perform(self, execution: Execution, job: dict[str, Any]) -> Outcome:
        try:
            offer = Offer(self._class(job["source"]), run_kwargs=job["runKwargs"])
            task = _task(offer, job, execution.assignment)
        except Exception as error:
            return failure(error)
        url = execution.url = job["url"]
        http = self._http_clients.get(url)
        if http is None:
            http = self._http_clients[url] = http_client(url)
        access = ApiClient(url, http, JobTokens(execution.assignment.job_token))
        return run_inline(execution, task, JobRoom(background(), access, execution))

    def _class(self, source: dict[str, Any]) -> Any:
        key = orjson.dumps(source)
        if key not in self._classes:
            self._classes[key] = load_class(source)
        return self._classes[key]

    def close(self) -> None:
        for http in self._http_clients.values():
            background().call(http.aclose())


class _PipeReporter:
    """Sends progress to the worker. Lines are printed, and the worker reads the standard output."""

    def __init__(self, runner: ChildRunner) -> None:
        self._runner = runner

    def progress(self, fraction: float | None, message: str = "") -> None:
        self._runner.send({"progress": [None if fraction is None else float(fraction), str(message)]})

    def line(self, text: str) -> None:
        pass


def main() -> None:
    # Processes started by a job must not inherit the two control streams.
    control_in = os.fdopen(os.dup(0), "rb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    descriptor = int(sys.argv[1])
    os.set_inheritable(descriptor, False)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    tqdm_patch.patch()
    with os.fdopen(descriptor, "wb") as control_out:
        runner = ChildRunner(control_in, control_out)
        runner.run()
        runner.close()


def _task(offer: Offer, job: dict[str, Any], assignment: Assignment) -> OfferedTask:
    if (field := job["choices"]) is not None:
        return ChoicesTask(offer, field, assignment.data)
    return ExtensionTask(offer, restore(offer.extension, assignment.data))


def _end_output(mark: str) -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # closed by the job
            stream.flush()
    with suppress(OSError):
        os.write(1, f"{END_OF_OUTPUT}{mark}\n".encode())


def _as_message(outcome: Outcome) -> dict[str, Any]:
    match outcome:
        case Succeeded(result):
            return {"result": result}
        case Failed(error):
            return {"error": error}
        case Cancelled():
            return {"stopped": True}
        case _:
            raise AssertionError(outcome)


if __name__ == "__main__":
    main()
