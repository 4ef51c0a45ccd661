"""The inside of a job's own process: `python -m workroom.worker.processes.child FD`.

Orders come on the standard input, one a line; how far a job is and how it ended is said on FD. When the standard input
ends, the worker is gone, and so is this process with everything it started.
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

from workroom.client.net.http import ApiClient, http_client
from workroom.client.portal import background
from workroom.domain.jobs.outcomes import Cancelled, Failed, Outcome, Succeeded
from workroom.worker.execution import tqdm_patch
from workroom.worker.execution.execution import Execution, Stop
from workroom.worker.execution.executors import run_inline
from workroom.worker.execution.job_room import JobRoom, JobTokens
from workroom.worker.execution.outcome import failure
from workroom.worker.execution.tasks import Task
from workroom.worker.loading import load_class, load_file
from workroom.worker.processes.limits import ProcessLimits, limit_cpu_seconds
from workroom.worker.processes.output import END_OF_OUTPUT
from workroom.worker.processes.workspace import JobWorkspace
from workroom.worker.remote.assignment import Assignment
from workroom.worker.remote.offers import Offer


class ChildRunner:
    """One process's life."""

    def __init__(self, orders: IO[bytes], words: IO[bytes]) -> None:
        self._orders = orders
        self._words = words
        self._turn = threading.Lock()  # one word at a time
        self._queue: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._execution: Execution | None = None
        self._surroundings: JobWorkspace | None = None
        self._classes: dict[bytes, Any] = {}
        self._http_clients: dict[str, Any] = {}  # connections to servers, kept for the next job

    def live(self) -> None:
        threading.Thread(target=self._listen, name="orders", daemon=True).start()
        while True:
            match order := self._queue.get():
                case {"warm": warm}:
                    self._warm_up(warm)
                case {"assignment": _}:
                    self._work(order)
                    if order.get("last"):
                        return
                case _:
                    raise AssertionError(order)

    def say(self, message: dict[str, Any]) -> None:
        with self._turn:
            self._words.write(orjson.dumps(message) + b"\n")
            self._words.flush()

    def _listen(self) -> None:
        for line in self._orders:
            match message := orjson.loads(line):
                case {"stop": why}:
                    if self._execution is not None:
                        self._execution.ask_to_stop(Stop(why))
                case _:
                    self._queue.put(message)
        os.killpg(0, signal.SIGKILL)

    def _warm_up(self, warm: dict[str, Any]) -> None:
        confines = ProcessLimits.from_message(warm["confines"])
        confines.apply()
        sys.path[:] = warm["path"]
        for name in warm["modules"]:
            module = load_file(Path(name)) if name.endswith(".py") else importlib.import_module(name)
            for later in getattr(module, "WARM_UP", ()):
                with suppress(ImportError):  # what is not installed is missed when it is needed
                    importlib.import_module(later)
        self._surroundings = JobWorkspace(confines.memory_mb)
        self.say({"ready": True})

    def _work(self, order: dict[str, Any]) -> None:
        assignment = Assignment.model_validate(order["assignment"])
        voice: Any = _PipeReporter(self)
        self._execution = execution = Execution(assignment, voice)
        if self._surroundings is not None:
            self._surroundings.enter()
            limit_cpu_seconds(assignment.timeout_seconds)
        message = _as_message(self._performed(execution, order))
        self._execution = None
        _end_output(order["mark"])
        self.say(message)
        if self._surroundings is not None:
            limit_cpu_seconds(None)
            self.say({"idle": self._surroundings.leave()})

    def _performed(self, execution: Execution, order: dict[str, Any]) -> Outcome:
        try:
            offer = Offer(self._class(order["source"]), run_kwargs=order["runKwargs"])
            task = Task(offer, offer.extension.model_validate(execution.assignment.data))
        except Exception as error:
            return failure(error)
        url = execution.url = order["url"]
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
    """Progress goes to the worker; lines are printed, and the worker reads them."""

    def __init__(self, inside: ChildRunner) -> None:
        self._inside = inside

    def progress(self, fraction: float | None, message: str = "") -> None:
        self._inside.say({"progress": [None if fraction is None else float(fraction), str(message)]})

    def line(self, text: str) -> None:
        pass


def main() -> None:
    # What jobs start inherits neither of the two, and reads nothing meant for us.
    orders = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    words = int(sys.argv[1])
    os.set_inheritable(words, False)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    tqdm_patch.patch()
    with os.fdopen(words, "wb") as said:
        inside = ChildRunner(orders, said)
        inside.live()
        inside.close()


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
