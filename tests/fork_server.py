"""Start `workroom` as a fork of a process that has imported the server: imports take most of the time of a start.

A fork differs from a program of its own in what `/proc` tells of its command line and its first environment, and in
nothing that the server does. Tests that look at those start the program itself.

The process is started with `python -m tests.fork_server`, and gets one message for each program to start: its arguments
and environment, with the descriptors of its standard output, its standard error, and a pipe for its exit status. It
ends when the process that started it ends.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from types import FrameType
from typing import IO

_LARGEST_MESSAGE = 1_000_000


class ForkedProgram:
    """The part of `subprocess.Popen` that tests use."""

    def __init__(self, pid: int, stdout: IO[str], status: int) -> None:
        self.pid = pid
        self.stdout = stdout
        self._status = status
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("workroom", timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _ended(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], seconds)[0]:
            self.returncode = int(os.read(self._status, 100))
            os.close(self._status)
        return self.returncode


class ForkServer:
    """The process that forks, as its parent sees it."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            command = [sys.executable, "-m", "tests.fork_server", str(theirs.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()])

    def start(self, arguments: list[str], environment: dict[str, str], stderr: int) -> ForkedProgram:
        output, output_end = os.pipe()
        status, status_end = os.pipe()
        message = json.dumps([arguments, environment]).encode()
        socket.send_fds(self._socket, [message], [output_end, stderr, status_end])
        os.close(output_end)
        os.close(status_end)
        return ForkedProgram(int(self._socket.recv(100)), open(output), status)  # noqa: PTH123 - a descriptor


def _serve(control: socket.socket) -> None:
    for module in ("cli.commands.serve", "server.app", "store.embedded", "store.migrate"):
        importlib.import_module(f"workroom.{module}")
    gc.collect()
    gc.freeze()
    statuses: dict[int, int] = {}
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, _do_nothing)  # a handler is needed to be woken
    while True:
        ready, _, _ = select.select([control, woken], [], [])
        if woken in ready:
            os.read(woken, 100)
            _report_ends(statuses)
        if control in ready:
            message, descriptors, _, _ = socket.recv_fds(control, _LARGEST_MESSAGE, 3)
            if not message:
                return
            stdout, stderr, status = descriptors
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for descriptor in (control.fileno(), woken, wake, status, *statuses.values()):
                    os.close(descriptor)
                os.dup2(stdout, 1)
                os.dup2(stderr, 2)
                _become(*json.loads(message))
            os.close(stdout)
            os.close(stderr)
            statuses[pid] = status
            control.send(str(pid).encode())


def _do_nothing(number: int, frame: FrameType | None) -> None:
    pass


def _become(arguments: list[str], environment: dict[str, str]) -> None:
    from workroom.cli import main

    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = [entry for entry in environment.get("PYTHONPATH", "").split(os.pathsep) if entry]
    sys.argv[1:] = arguments
    gc.enable()
    main()


def _report_ends(statuses: dict[int, int]) -> None:
    while statuses:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        os.write(statuses[pid], str(os.waitstatus_to_exitcode(status)).encode())
        os.close(statuses.pop(pid))


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
