"""One fleet of a name at a time: two would each start the workers that are missing."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from workroom.domain.errors import BadInput


@contextmanager
def fleet_lock(name: str) -> Generator[None]:
    """Hold the lock of this name on this machine; refuses when another process has it."""
    state = os.environ.get("XDG_STATE_HOME")
    file = (Path(state) if state else Path.home() / ".local" / "state") / "workroom" / f"fleet-{name}.lock"
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with file.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadInput(
                f"A fleet {name} runs here already. End it first, or give this one another --name."
            ) from None
        yield
