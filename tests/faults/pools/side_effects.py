"""Functions that leave a trace of every execution."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from workroom import job


@contextmanager
def _traced(folder: str, policy: str, number: int) -> Generator[None]:
    """Each line is one write to a file of this process: whatever kills it, the line is there or it is not."""
    log = os.open(Path(folder) / f"{os.getpid()}.log", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    try:
        os.write(log, f"begun {policy} {number}\n".encode())
        yield
        os.write(log, f"ended {policy} {number}\n".encode())
    finally:
        os.close(log)


@job(name="side_effect", tries=1)
def side_effect(folder: str, policy: str, number: int) -> int:
    with _traced(folder, policy, number):
        time.sleep(random.uniform(0.0, 0.004))
    return number


@job(name="late_side_effect", tries=1)
def late_side_effect(folder: str, policy: str, number: int) -> int:
    """Waits until the folder has a file `go`."""
    with _traced(folder, policy, number):
        while not (Path(folder) / "go").exists():
            time.sleep(0.01)
    return number
