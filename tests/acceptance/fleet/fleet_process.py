"""`workroom fleet` as a process of its own."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator
from pathlib import Path

import psutil
from tests.acceptance.live import ADMIN_PASSWORD, ROOT, LiveServer

PATIENCE = 60.0


class FleetProcess:
    """The command, what it prints, and its end."""

    last_output = ""

    def __init__(self, server: LiveServer, *arguments: str, **environment: str) -> None:
        self.log = Path(tempfile.mkstemp(prefix="workroom-fleet-")[1])
        known = {name: value for name, value in os.environ.items() if not name.startswith("WORKROOM_")}
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        login = {"WORKROOM_URL": server.url, "WORKROOM_USER": "admin", "WORKROOM_PASSWORD": ADMIN_PASSWORD}
        with self.log.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "workroom.cli", "fleet", *arguments],
                stdout=output,
                stderr=output,
                env=known | login | {"PYTHONPATH": path} | environment,
            )

    @property
    def output(self) -> str:
        return self.log.read_text()

    def until(self, text: str, within: float = PATIENCE) -> None:
        wait_until(lambda: text in self.output, within, lambda: f"never printed {text!r}:\n{self.output}")

    def end(self, within: float = PATIENCE) -> int:
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(within)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)


@contextlib.contextmanager
def running_fleet(server: LiveServer, *arguments: str, **environment: str) -> Generator[FleetProcess]:
    fleet = FleetProcess(server, *arguments, **environment)
    try:
        yield fleet
    finally:
        fleet.end()
        fleet.last_output = fleet.output
        fleet.log.unlink()


def wait_until(true: Callable[[], object], within: float = PATIENCE, told: Callable[[], str] = str) -> None:
    until = time.monotonic() + within
    while not true():
        assert time.monotonic() < until, told() or "it never came true"
        threading.Event().wait(0.05)


def worker_processes(name: str) -> list[int]:
    """The worker processes of a local fleet of this name."""
    found: list[int] = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
            if f"{name}@local" in process.cmdline() and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
    return found
