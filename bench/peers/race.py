"""What every program of the race does: the same phases, for whatever queue it wraps.

    PROGRAM rate TASKS SECONDS        no-op tasks a second: first queued to last done, or until the time is over
    PROGRAM backlog TASKS SECONDS     the same, with workers that are stopped until all tasks are queued
    PROGRAM roundtrip CALLS SECONDS   milliseconds from a call to its result, one at a time, on idle workers
    PROGRAM queue TASKS               leave tasks waiting, without workers
    PROGRAM drain TASKS SECONDS       start workers, and count the tasks that run

Each prints one line of JSON. PEER_URL names the server that holds the tasks, PEER_FOLDER a folder with throw-away data,
PEER_RESULTS says whether results are kept. It imports nothing but the standard library: the environments are bare.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

URL = os.environ.get("PEER_URL", "")
FOLDER = Path(os.environ.get("PEER_FOLDER", "."))
WITH_RESULTS = os.environ.get("PEER_RESULTS") == "1"
PROCESSES = 2
_LOOK = 0.01  # seconds between two looks at what is done
_START = 40.0  # seconds for workers to run their first task
_STUCK = 4.0  # seconds without progress after which the tasks that are left count as lost
_WARM_UP = 10


class Peer:
    """One queue. A subclass says how to start workers, queue tasks, count them and wait for a result."""

    distributions: tuple[str, ...] = ()  # their versions are printed

    def prepare(self) -> None:
        """Make what the queue needs in its server, such as tables."""

    def workers(self) -> list[list[str]]:
        """The commands that start the workers, `PROCESSES` processes together."""
        raise NotImplementedError

    def queue(self, tasks: int) -> None:
        raise NotImplementedError

    def done(self) -> int:
        """How many tasks have run."""
        raise NotImplementedError

    def finished(self, tasks: int) -> bool:
        """Whether that many have run; overridden where there is a cheaper way than to count."""
        return self.done() >= tasks

    def call(self, number: int) -> None:
        """Queue one task and wait for its end, and for its result where the queue has results."""
        raise NotImplementedError


def program(name: str) -> str:
    """A command of this environment."""
    return str(Path(sys.executable).parent / name)


def main(peer: Peer) -> None:
    phase, size = sys.argv[1], int(sys.argv[2])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 0.0
    if phase in ("rate", "backlog", "roundtrip", "queue"):
        peer.prepare()
    phases = {"rate": _rate, "backlog": _backlog, "roundtrip": _roundtrip, "queue": _queue, "drain": _drain}
    told = phases[phase](peer, size, seconds)
    versions = {name: version(name) for name in peer.distributions}
    print(json.dumps({**told, "versions": versions}), flush=True)
    os._exit(0)  # some clients wait for their server when they are closed


def _backlog(peer: Peer, tasks: int, seconds: float) -> dict[str, float]:
    return _rate(peer, tasks, seconds, stopped=True)


def _rate(peer: Peer, tasks: int, seconds: float, *, stopped: bool = False) -> dict[str, float]:
    with _running(peer) as workers:
        peer.queue(1)
        _until(lambda: peer.done() >= 1, _START)
        before = peer.done()
        _signal(workers, signal.SIGSTOP if stopped else None)
        started = time.perf_counter()
        peer.queue(tasks)
        queued = time.perf_counter() - started
        _signal(workers, signal.SIGCONT if stopped else None)
        complete = _until(lambda: peer.finished(before + tasks), seconds - queued)
        elapsed = time.perf_counter() - started
        done = tasks if complete else peer.done() - before
    return {"tasks": tasks, "done": done, "perSecond": done / elapsed, "queueSeconds": queued}


def _roundtrip(peer: Peer, calls: int, seconds: float) -> dict[str, object]:
    times = list[float]()
    with _running(peer):
        peer.call(0)
        until = time.monotonic() + seconds
        for number in range(1, calls + _WARM_UP + 1):
            started = time.perf_counter()
            peer.call(number)
            times.append(1000 * (time.perf_counter() - started))
            time.sleep(0.01)  # lets the workers become idle again
            if time.monotonic() > until:
                break
    counted = sorted(times[_WARM_UP:] or times)
    return {"calls": len(counted), "p50": _quantile(counted, 0.5), "p95": _quantile(counted, 0.95)}


def _queue(peer: Peer, tasks: int, _: float) -> dict[str, int]:
    peer.queue(tasks)
    return {"queued": tasks}


def _drain(peer: Peer, tasks: int, seconds: float) -> dict[str, int]:
    """How many of the tasks run. One more is queued first, so that a count of none is not a worker that never came."""
    with _running(peer):
        peer.queue(1)
        _until(lambda: peer.done() >= 1, _START)
        until, seen, since = time.monotonic() + seconds, -1, time.monotonic()
        while (count := peer.done()) < tasks + 1 and time.monotonic() < until:
            if count != seen:
                seen, since = count, time.monotonic()
            elif time.monotonic() - since > _STUCK:
                break
            time.sleep(_LOOK)
    return {"queued": tasks, "ran": max(0, count - 1)}


def _quantile(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _until(reached: Callable[[], bool], seconds: float) -> bool:
    until = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > until:
            return False
        time.sleep(_LOOK)
    return True


def _signal(workers: list[subprocess.Popen[bytes]], number: signal.Signals | None) -> None:
    for one in workers:
        if number is not None:
            one.send_signal(number)


@contextmanager
def _running(peer: Peer) -> Generator[list[subprocess.Popen[bytes]]]:
    workers = [subprocess.Popen(command, stdout=sys.stderr) for command in peer.workers()]
    try:
        yield workers
    finally:
        for one in workers:
            one.terminate()
        for one in workers:
            try:
                one.wait(5)
            except subprocess.TimeoutExpired:
                one.kill()
                one.wait()
