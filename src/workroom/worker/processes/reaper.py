"""Kills the job processes of a worker, and removes their folders, when the worker itself is killed.

It is a program of its own (`python reaper.py`, without imports from this package) that reads a pipe from the worker:
`+ PID FOLDER` for each process, `- PID` once it has exited. The pipe ends when the worker exits for any reason.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path


class ProcessReaper:
    """The worker's side: starts the program and keeps it informed."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - the same interpreter and this file
            [sys.executable, "-I", "-S", __file__],
            stdin=subprocess.PIPE,
            env={},
            cwd="/",
            start_new_session=True,
        )

    def watch(self, pid: int, folder: Path) -> None:
        self._send(f"+ {pid} {folder}")

    def forget(self, pid: int) -> None:
        self._send(f"- {pid}")

    def close(self) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        self._process.wait()

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # the reaper was killed; the job processes still end with their standard input
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    known: dict[int, str] = {}
    for line in sys.stdin:
        sign, _, rest = line.rstrip("\n").partition(" ")
        pid, _, folder = rest.partition(" ")
        if sign == "+":
            known[int(pid)] = folder
        else:
            known.pop(int(pid), None)
    for pid in known:
        with suppress(OSError):
            os.killpg(pid, signal.SIGKILL)
    for folder in known.values():
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
