"""`workroom serve --replicas N`: starts N server processes that share a port, and restarts one that exits.

This process runs the database, the pool and the supervision. Each server process has a socket of its own on the port,
which stays open here: while the process restarts, connections wait in its queue.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from workroom.cli.serving.server_process import (
    announce_address,
    make_pool,
    print_password_file,
    remove_server_file,
)
from workroom.cli.serving.systemd_notify import SystemdNotifier
from workroom.domain.errors import BadInput
from workroom.logs import get_logger
from workroom.server.builtin_names import BuiltinNames
from workroom.server.listen_sockets import Listening

if TYPE_CHECKING:
    from workroom.server.settings import Settings

log = get_logger(__name__)

_START_SECONDS = 60.0
_STOP_SECONDS = 15.0
_STABLE_SECONDS = 30.0  # an exit after this uptime resets the back-off
_MAX_PAUSE_SECONDS = 10.0


class ReplicaSupervisor:
    def __init__(
        self, settings: Settings, url: str, folder: Path, sockets: list[Listening], systemd: SystemdNotifier
    ) -> None:
        self._systemd = systemd
        self._settings = settings
        self._url = url
        self._folder = folder
        self._sockets = sockets
        self._names = _ForwardedNames(self) if settings.has_pool else None
        self._builtin: list[tuple[str, str]] | None = None  # names, once the pool has sent them
        self._replicas = [_Replica(self, number, listening) for number, listening in enumerate(sockets)]
        self._stopping = threading.Event()

    def run(self) -> None:
        """Run the servers until a signal. The first one starts alone: it creates what a new database needs."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        pool = None
        try:
            for replica in self._replicas:
                replica.start()
                if not replica.wait_until_started(self._stopping):
                    return
            first = self._sockets[0]
            announce_address(self._settings, self._folder, first.address, first.local_address)
            if self._names is not None:
                pool = make_pool(self._settings, self._folder, first.local_address, self._names)
                pool.start()
            self._systemd.ready(f"listens at {first.address}")
            self._systemd.send_heartbeats_until(self._stopping)
        finally:
            self._stopping.set()
            self._systemd.stopping()
            if pool is not None:
                pool.stop()  # first: its jobs still report to the servers
            for replica in self._replicas:
                replica.end()
            for replica in self._replicas:
                replica.join()
            remove_server_file(self._folder)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._stopping.set()

    @property
    def stops(self) -> threading.Event:
        return self._stopping

    def start_message(self, listening: Listening) -> dict[str, Any]:
        return {
            "settings": self._settings.model_dump(mode="json"),
            "database": self._url,
            "folder": str(self._folder),
            "socket": listening.public.fileno(),
            "local": None if listening.local is None else listening.local.fileno(),
            "builtin_names": self._builtin,
        }

    def forward(self, names: list[tuple[str, str]]) -> None:
        self._builtin = names
        for replica in self._replicas:
            replica.send({"builtin_names": names})

    def welcome(self) -> None:
        print_password_file(self._folder)


class _ForwardedNames(BuiltinNames):
    """The names of the built-in extensions, for all server processes."""

    def __init__(self, supervisor: ReplicaSupervisor) -> None:
        super().__init__()
        self._supervisor = supervisor

    def set(self, names: Iterable[tuple[str, str]]) -> None:
        listed = list(names)
        super().set(listed)
        self._supervisor.forward(listed)


class _Replica:
    """One server process. Its thread outlives it: the kernel kills the process when its parent thread ends."""

    def __init__(self, supervisor: ReplicaSupervisor, number: int, listening: Listening) -> None:
        self._supervisor = supervisor
        self._number = number
        self._listening = listening
        self._started = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._supervise, name=f"replica {number}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wait_until_started(self, stopping: threading.Event) -> bool:
        """Wait for the first start. Returns False when the servers are to stop; raises BadInput if it fails."""
        deadline = time.monotonic() + _START_SECONDS
        while not self._started.wait(0.05):
            if stopping.is_set():
                return False
            if not self._thread.is_alive() or time.monotonic() > deadline:
                raise BadInput("A server process did not start; see the log above.")
        return True

    def end(self) -> None:
        process = self._process
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGTERM)

    def join(self) -> None:
        self._thread.join(_STOP_SECONDS)
        process = self._process
        if process is not None and process.poll() is None:
            log.warning("server process did not stop in time, killing it", replica=self._number, pid=process.pid)
            process.kill()
            process.wait()

    def send(self, message: dict[str, Any]) -> None:
        process = self._process
        if process is None or process.stdin is None:
            return
        with suppress(OSError, ValueError):  # it has exited; the next one gets the message at its start
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()

    def _supervise(self) -> None:
        failures = 0
        while not self._supervisor.stops.is_set():
            began = time.monotonic()
            code = self._run()
            if self._supervisor.stops.is_set() or not self._started.is_set():
                return
            failures = 1 if time.monotonic() - began > _STABLE_SECONDS else failures + 1
            log.warning("server process exited, restarting", replica=self._number, code=code)
            self._supervisor.stops.wait(min(0.1 * 2 ** (failures - 1), _MAX_PAUSE_SECONDS))

    def _run(self) -> int:
        """Run one server process until it exits; returns its exit code."""
        process = subprocess.Popen(
            [sys.executable, "-m", "workroom.cli.serving.replica_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=[one.fileno() for one in (self._listening.public, self._listening.local) if one is not None],
            env=os.environ | {"WORKROOM_REPLICA": str(self._number)},
            start_new_session=True,  # Ctrl-C goes to the supervisor only
        )
        self._process = process
        with process:
            self.send(self._supervisor.start_message(self._listening))
            assert process.stdout is not None
            for line in process.stdout:
                match line.strip():
                    case b"started":
                        self._started.set()
                    case b"new admin":
                        self._supervisor.welcome()
                    case _:
                        sys.stdout.buffer.write(line)
        return process.returncode
