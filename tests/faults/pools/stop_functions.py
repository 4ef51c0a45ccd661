"""Functions for pools that are stopped, recycled, orphaned or refused by the database; each leaves a trace."""

from __future__ import annotations

import os
import time
from pathlib import Path

from workroom import job
from workroom.worker.pool import database_thread

if seconds := os.environ.get("WORKROOM_TEST_FLUSH_CHECK_SECONDS"):
    database_thread.FLUSH_CHECK_SECONDS = float(seconds)


def _note(path: str, line: object) -> None:
    """One write: whatever kills the process, the line is there or it is not."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, f"{line}\n".encode())
    os.close(file)


@job(name="noted")
def noted(path: str, number: int, size: int = 10) -> str:
    """Notes its number when it is about to return."""
    _note(path, number)
    return "x" * size


@job(name="numbers")
def numbers(path: str, number: int, many: int) -> list[int]:
    """A result that takes far more as jsonb than as JSON."""
    _note(path, number)
    return [number % 10] * many


@job(name="wordy", tries=1)
def wordy(number: int) -> int:
    """An exception whose text takes several bytes for each character."""
    if number == 7:
        raise ValueError("\N{GRINNING FACE}" * 20_000)
    return number


class _Named(type):
    __name__ = "Bad\ud800Name"  # pyright: ignore[reportAssignmentType, reportIncompatibleUnannotatedOverride]


class OddlyNamed(Exception, metaclass=_Named):
    """Its name cannot be written as JSON."""


@job(name="odd", tries=1)
def odd(number: int) -> int:
    if number == 7:
        raise OddlyNamed("no")
    return number


@job(name="stage", tries=1, timeout=0.4)
def stage(folder: str, number: int) -> int:
    """Number 300 waits for the file `go`, number 310 never returns, and the others return at once or soon.

    Number 302 takes longer than the pause between two flushes, so 300 and 303 are reported apart.
    """
    _note(f"{folder}/calls", number)
    if number == 300:
        _note(f"{folder}/reached", number)
        while not (Path(folder) / "go").exists():
            time.sleep(0.005)
    if number == 302:
        time.sleep(0.1)
    while number == 310:
        time.sleep(0.01)
    return number


@job(name="brief")
def brief(path: str, number: int) -> int:
    _note(path, os.getpid())
    time.sleep(0.05)
    return number


@job(name="overlong", tries=1, timeout=3.0)
def overlong(path: str) -> None:
    _note(path, os.getpid())
    while True:
        time.sleep(0.01)
