"""A remote worker that logs every execution: `python worker_program.py URL FOLDER`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

from workroom import Category, Extension, Room, WorkroomError
from workroom.worker.execution.execution_state import CURRENT

LOG = Path(sys.argv[2]) / f"worker-{os.getpid()}.log"


def note(*words: object) -> None:
    """One write: whatever kills the process, the line is there or it is not."""
    file = os.open(LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, (" ".join(map(str, words)) + "\n").encode())
    os.close(file)


class Tracked(Extension):
    """Writes to the room, unless it takes long, and returns a token; the log has the attempt of both."""

    category = Category.MODIFIER
    seconds: float = 0.0

    def run(self, vis: Any, **kwargs: Any) -> Any:
        execution = CURRENT.get()
        assert execution is not None
        attempt, token = execution.assignment.attempt, uuid4().hex
        note("begun", vis.job_id, attempt, token)
        until = time.monotonic() + self.seconds
        while time.monotonic() < until:
            time.sleep(0.01)
        if self.seconds < 1.0:
            # A job that lost its attempt ends here. A long one reports a late result instead.
            vis.metadata["last"] = {"job": vis.job_id, "attempt": attempt}
        note("ended", vis.job_id, attempt, token)
        return token


class Requeued(Tracked):
    """Runs again when its worker is lost."""


class Once(Tracked):
    """Fails when its worker is lost."""


def main() -> None:
    while True:
        try:
            room = Room("lab", sys.argv[1], "worker")
            room.register_extension(Requeued, on_worker_lost="requeue", tries=3, concurrency=2)
            room.register_extension(Once, on_worker_lost="fail", concurrency=2)
            break
        except WorkroomError:
            time.sleep(0.5)  # the server is away
    print("ready", flush=True)
    room.wait()


if __name__ == "__main__":
    main()
