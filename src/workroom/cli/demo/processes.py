"""The processes of the demo."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

from workroom.domain.errors import Unavailable


class Process:
    """A command as a child process, with its stderr in a log file."""

    def __init__(self, *arguments: str, log: Path, environment: dict[str, str] | None = None) -> None:
        self._log = log.open("a")
        self._process = subprocess.Popen(  # noqa: S603 - our own commands
            [sys.executable, "-m", *arguments],
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"} | (environment or {}),
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_for_line(self, pattern: str) -> re.Match[str]:
        """Wait for a line that matches; later output is discarded."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if found := re.search(pattern, line):
                threading.Thread(target=_drain, args=(self._process.stdout,), daemon=True).start()
                return found
        raise Unavailable(f"The process exited before it was ready; see {self._log.name}.")

    def output(self) -> str:
        """The whole output, once the process has exited."""
        output, _ = self._process.communicate()
        return output

    def has_exited(self) -> bool:
        return self._process.poll() is not None

    def kill(self) -> None:
        self._process.kill()

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._log.close()


def _drain(lines: Iterable[str]) -> None:
    try:
        for _ in lines:
            pass
    except ValueError:
        pass  # the pipe was closed meanwhile
