"""Workers as processes of this machine.

The command line of a worker has the name of its fleet, so a fleet that was restarted finds its workers again.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from workroom.domain.jobs.resources import Resources, parsed_resources, resource_words
from workroom.worker.fleet.backend import BackendError, StartedWorker

_PROC = Path("/proc")


class LocalBackend:
    """The processes of one fleet."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        idle_exit: float,
        offers: Resources,
        environment: Mapping[str, str],
    ) -> None:
        self._name = f"{name}@local"
        self._command = list(command)  # the arguments of `workroom worker`
        self._idle_exit = ["--idle-exit", str(idle_exit)]
        self._offers = offers
        self._environment = environment
        self._children: dict[str, tuple[subprocess.Popen[bytes], Resources]] = {}
        self._stopped: set[str] = set()

    def start(self, resources: Resources, *, stays: bool) -> str:
        offered = {**self._offers, **resources}
        offers = [word for each in resource_words(offered) for word in ("--offer", each)]
        options = ["--name", self._name, *([] if stays else self._idle_exit), *offers]
        command = [sys.executable, "-m", "workroom.cli", "worker", *self._command, *options]
        try:
            # A session of its own: Ctrl-C reaches the fleet alone, which then drains its workers.
            child = subprocess.Popen(  # noqa: S603 - our own command
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={**os.environ, **self._environment},
                start_new_session=True,
            )
        except OSError as error:
            raise BackendError(f"A worker could not be started: {error}.") from None
        self._children[str(child.pid)] = child, offered
        return str(child.pid)

    def workers(self) -> list[StartedWorker]:
        self._children = {pid: one for pid, one in self._children.items() if one[0].poll() is None}
        found: dict[str, Resources] = {pid: offered for pid, (_, offered) in self._children.items()}
        for folder in _PROC.glob("[0-9]*"):
            if folder.name not in found and (words := self._command_line(folder)) is not None:
                found[folder.name] = _offered(words)
        return [StartedWorker(pid, offers, is_ending=pid in self._stopped) for pid, offers in found.items()]

    def stop(self, worker: StartedWorker) -> None:
        if worker.id in self._stopped:
            return  # a second signal would end it at once
        self._stopped.add(worker.id)
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(worker.id), signal.SIGTERM)

    def told(self, worker: str) -> str:
        return f"process {worker}, which wrote to this output"

    def is_same(self, worker: StartedWorker, info: dict[str, Any]) -> bool:
        return str(info.get("pid")) == worker.id and info.get("host") == socket.gethostname()

    def _command_line(self, folder: Path) -> list[str] | None:
        """The command line of a process that an earlier run of this fleet has started."""
        try:
            words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
            if ("--name", self._name) not in itertools.pairwise(words) or "workroom.cli" not in words:
                return None
            # Not the owner of the folder: that is root for a process that protects its memory.
            return words if _user(folder) == os.getuid() else None
        except OSError:
            return None  # it has just ended


def _user(folder: Path) -> int:
    lines = (folder / "status").read_text().splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("Uid:")), -1)


def _offered(words: Sequence[str]) -> dict[str, float]:
    return parsed_resources([word for option, word in itertools.pairwise(words) if option == "--offer"])
