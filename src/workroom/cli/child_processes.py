"""Processes that a command starts and stops again, and the signals that end it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from workroom.domain.errors import Unavailable


class StopSignals:
    """Turns the first SIGINT, SIGTERM, SIGHUP or SIGQUIT into a KeyboardInterrupt, and ignores the later ones.

    The interrupt unwinds the command, which stops its processes. A second signal must not interrupt that.
    """

    _NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)

    def __init__(self) -> None:
        self._received = False
        self._is_deferred = False

    def __enter__(self) -> StopSignals:
        self._before = {number: signal.signal(number, self._handle) for number in self._NUMBERS}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @contextmanager
    def deferred(self) -> Generator[None]:
        """Raise the interrupt only at the end of the block: a process that has just started must not be forgotten."""
        self._is_deferred = True
        try:
            yield
        finally:
            self._is_deferred = False
        if self._received:
            raise KeyboardInterrupt

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._received:
            return
        self._received = True
        if not self._is_deferred:
            raise KeyboardInterrupt


class Process:
    """A command as a child process, with its stderr in a log file.

    It has a process group of its own: Ctrl-C and Ctrl-\\ reach the command that started it, which stops it in its turn.
    """

    def __init__(self, *arguments: str, log: Path, environment: dict[str, str] | None = None) -> None:
        self._name = " ".join(arguments[:2])
        self._log = log.open("a")
        self._process = subprocess.Popen(  # noqa: S603 - our own commands
            [sys.executable, "-m", *arguments],
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"} | (environment or {}),
            process_group=0,
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
        last = Path(self._log.name).read_text().strip().rpartition("\n")[2]
        raise Unavailable(f"{self._name} exited before it was ready. The last line of its log: {last}")

    def output(self) -> str:
        """The whole output, once the process has exited."""
        output, _ = self._process.communicate()
        return output

    def wait(self) -> None:
        """Wait until the process has exited."""
        self._process.wait()

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
