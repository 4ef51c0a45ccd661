"""What holds the tasks. Each server keeps its address and its folder when it is killed and started again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from bench.environment import temporary_folder
from bench.peer_race.environments import PROGRAMS
from bench.redis_server import free_port, wait_for_port
from bench.row import RowSkipped
from workroom.store.embedded import EmbeddedPostgres


class Server(Protocol):
    @property
    def url(self) -> str: ...

    def restart_after_kill(self) -> None:
        """`kill -9`, at once, and a new start with what is on the disk."""
        ...


@contextmanager
def server(kind: str, python: Path) -> Generator[tuple[Server, Path]]:
    """The server of a queue, and its folder with throw-away data."""
    with temporary_folder() as folder:
        if kind == "postgresql":
            with EmbeddedPostgres(folder) as postgres:
                yield _Postgres(postgres), folder
            return
        port = free_port()
        with _Program(_command(kind, python, port, folder), port, f"{_SCHEMES[kind]}://127.0.0.1:{port}") as program:
            yield program, folder


_SCHEMES = {"redis": "redis", "dask": "tcp"}


def _command(kind: str, python: Path, port: int, folder: Path) -> list[str]:
    """Redis with its default persistence: a snapshot after an hour, or sooner after many changes; no log of writes."""
    if kind == "dask":
        return [str(python.parent / "dask"), "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    redis = shutil.which("redis-server")
    if redis is None:
        raise RowSkipped("there is no redis-server: install the package redis-server")
    return [redis, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)]


class _Program:
    def __init__(self, command: Sequence[str], port: int, url: str) -> None:
        self.url = url
        self._command, self._port = command, port
        self._process = self._start()

    def restart_after_kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        # Dask's scheduler loads the functions of the tasks by the name of their module.
        environment = os.environ | {"PYTHONPATH": str(PROGRAMS)}
        process = subprocess.Popen(self._command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for_port(self._port, process)
        return process

    def __enter__(self) -> _Program:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class _Postgres:
    def __init__(self, postgres: EmbeddedPostgres) -> None:
        self._postgres = postgres

    @property
    def url(self) -> str:
        return self._postgres.url

    def restart_after_kill(self) -> None:
        cluster = (self._postgres.data / "postgres").resolve()
        os.kill(int((cluster / "postmaster.pid").read_text().splitlines()[0]), signal.SIGKILL)
        until = time.monotonic() + 20
        while self._postgres.is_alive and time.monotonic() < until:
            time.sleep(0.02)
        self._postgres.start()
