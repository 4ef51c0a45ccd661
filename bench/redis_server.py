"""A Redis with throw-away data."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager

from bench.environment import temporary_folder
from bench.row import RowSkipped


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def wait_for_port(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 20
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert process.poll() is None and time.monotonic() < deadline, "the program did not start"
            time.sleep(0.02)


@contextmanager
def redis_server() -> Generator[str]:
    """The URL of a Redis server; RowSkipped if it is not installed."""
    program = shutil.which("redis-server")
    if program is None:
        raise RowSkipped("redis-server is not installed")
    port = free_port()
    with temporary_folder() as folder:
        options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
        process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
        try:
            wait_for_port(port, process)
            yield f"redis://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()
