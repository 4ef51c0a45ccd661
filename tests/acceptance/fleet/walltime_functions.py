"""A function that fits into a walltime only while enough of it is left."""

from __future__ import annotations

import time
from pathlib import Path

from workroom import job


@job(name="short_nap", timeout=1.5)
def short_nap(path: str, number: int) -> int:
    began = time.time()
    time.sleep(0.1)
    with Path(path).open("a") as file:
        file.write(f"{number} {began}\n")
    return number
