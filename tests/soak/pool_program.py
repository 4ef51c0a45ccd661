"""A pool whose processes log every execution: `python -m tests.soak.pool_program URL`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

from workroom import ClusterPool, ClusterProcess, Unavailable, job
from workroom.domain.jobs.heartbeat_and_lease import Timing
from workroom.worker.pool import PoolJob

FOLDER = "WORKROOM_SOAK_FOLDER"
TIMING = Timing(heartbeat=1.0, lease=3.0, sweep=0.5, grace=1.5, confirm=1.5)


@job(name="soak_call", tries=3)
def soak_call(seconds: float) -> str:
    time.sleep(seconds)
    return uuid4().hex


class LoggingProcess(ClusterProcess):
    """Logs the attempt of each call, and the token that it returned."""

    def process_job(self, job: PoolJob) -> Any:
        self._note("begun", job.id, job.attempt, "-")
        token = job.execute()
        self._note("ended", job.id, job.attempt, token)
        return token

    def _note(self, *words: object) -> None:
        file = os.open(Path(os.environ[FOLDER]) / f"pool-{os.getpid()}.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(file, (" ".join(map(str, words)) + "\n").encode())
        os.close(file)


class LoggingPool(ClusterPool):
    process_class = LoggingProcess


def main() -> None:
    while True:
        try:
            LoggingPool(2, [__spec__.name], sys.argv[1], timing=TIMING, recycle_after=2_000, profile=0.0).run()
            return
        except Unavailable:
            time.sleep(0.5)  # the database is away


if __name__ == "__main__":
    main()
