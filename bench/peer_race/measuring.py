"""The phases of one queue, each in a process of its own with a bound on its time."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from bench.peer_race.entrants import Entrant
from bench.peer_race.environments import PROGRAMS, ROOT, python_of
from bench.peer_race.servers import server

SECONDS = 90.0  # for all phases of one queue, without its installation
CALLS, WAITING = 200, 2_000


class PhaseFailed(Exception):
    """A phase of a queue ended with an error, or not in time."""


def measure(entrant: Entrant, share: float = 1.0) -> dict[str, Any]:
    """Throughput, round trip and what a `kill -9` of the server loses."""
    python = python_of(entrant)
    phases = _Phases(entrant, python, time.monotonic() + SECONDS)
    size = max(10, round(share * entrant.tasks))
    with server(entrant.server, python) as (running, folder):
        rate = phases.run("rate", running.url, folder, size, seconds=0.4 * SECONDS)
    with server(entrant.server, python) as (running, folder):
        trip = phases.run("roundtrip", running.url, folder, max(5, round(share * CALLS)), seconds=0.15 * SECONDS)
    with server(entrant.server, python) as (running, folder):
        waiting = max(10, round(share * WAITING))
        phases.run("queue", running.url, folder, waiting)
        running.restart_after_kill()
        drained = phases.run("drain", running.url, folder, waiting, seconds=0.2 * SECONDS)
    return {
        "tasks": rate["tasks"],
        "done": rate["done"],
        "perSecond": round(rate["perSecond"], 1),
        "calls": trip["calls"],
        "p50": round(trip["p50"], 2),
        "p95": round(trip["p95"], 2),
        "waiting": waiting,
        "lost": waiting - drained["ran"],
        "versions": rate["versions"],
    }


class _Phases:
    def __init__(self, entrant: Entrant, python: Path, until: float) -> None:
        self._entrant, self._python, self._until = entrant, python, until

    def run(self, phase: str, url: str, folder: Path, size: int, *, seconds: float = 0.0) -> dict[str, Any]:
        paths = [str(PROGRAMS), str(ROOT / "src")] if not self._entrant.packages else [str(PROGRAMS)]
        environment = os.environ | {
            "PEER_URL": url,
            "PEER_FOLDER": str(folder),
            "PEER_RESULTS": str(int(phase == "roundtrip")),
            "PYTHONPATH": os.pathsep.join(paths),
        }
        words = [self._python, PROGRAMS / f"{self._entrant.name}_peer.py", phase, str(size), str(seconds)]
        left = self._until - time.monotonic()
        # Files, not pipes: a worker that outlives its program would hold a pipe open.
        with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as complained:
            process = subprocess.Popen(
                words, cwd=PROGRAMS, env=environment, stdout=said, stderr=complained, start_new_session=True
            )
            try:
                code = process.wait(max(1.0, left))
            except subprocess.TimeoutExpired:
                raise PhaseFailed(f"{phase}: not done within the {SECONDS:g} s of one queue") from None
            finally:
                _end(process)
            said.seek(0)
            complained.seek(0)
            if code != 0:
                raise PhaseFailed(f"{phase}: {_last_line(complained.read().decode(errors='replace'))}")
            return orjson.loads(said.read().splitlines()[-1])


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the program and the workers that it started: they are its process group."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _last_line(text: str) -> str:
    """The error, or what was said last."""
    lines = [line.strip() for line in text.splitlines() if line.strip()] or ["it ended without a word"]
    errors = [line for line in lines if _ERROR.match(line)]
    return (errors or lines)[-1][-200:]


_ERROR = re.compile(r"[\w.]*(Error|Exception|Refused|Timeout)\b")
