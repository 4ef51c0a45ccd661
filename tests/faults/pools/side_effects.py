"""A function that leaves a trace of every execution."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

from workroom import job


@job(name="side_effect", tries=1)
def side_effect(folder: str, policy: str, number: int) -> int:
    """Each line is one write to a file of this process: whatever kills it, the line is there or it is not."""
    log = os.open(Path(folder) / f"{os.getpid()}.log", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    try:
        os.write(log, f"begun {policy} {number}\n".encode())
        time.sleep(random.uniform(0.0, 0.004))
        os.write(log, f"ended {policy} {number}\n".encode())
    finally:
        os.close(log)
    return number
