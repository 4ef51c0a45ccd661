"""Several servers on one PostgreSQL, and a Redis between them."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests import prepared_cluster
from tests.acceptance.live import LiveServer
from tests.store.postgres_server import throw_away_folder

from workroom.store.embedded import EmbeddedPostgres


class Redis:
    """A Redis server of its own, which can be killed and started again."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._folder = Path(tempfile.mkdtemp(prefix="workroom-test-"))
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> Redis:
        program = shutil.which("redis-server")
        if program is None:
            pytest.skip("redis-server is not installed")
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self._folder)]
        self._process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                assert time.monotonic() < deadline, "redis-server did not start"
                time.sleep(0.02)

    def flush(self) -> None:
        with socket.create_connection(("127.0.0.1", self.port), 5) as connection:
            connection.sendall(b"FLUSHALL\r\n")
            assert connection.recv(100).startswith(b"+OK")

    def pause(self) -> None:
        """It holds its connections, and answers nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def remove(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)


@contextmanager
def external_database() -> Generator[str]:
    """The URL of a PostgreSQL that no server starts or stops."""
    with throw_away_folder() as folder:
        prepared_cluster.copy_cluster(folder)
        with EmbeddedPostgres(folder) as postgres:
            yield postgres.url


def replica(database: str, redis: str, **settings: str) -> LiveServer:
    """A server, not started yet, with a data folder of its own and the secret of all."""
    shared = {"WORKROOM_DATABASE": database, "WORKROOM_REDIS": redis, "WORKROOM_SECRET": "the same for all" * 4}
    # The workers of these tests send no heartbeats.
    patient = {"WORKROOM_LEASE_SECONDS": "60", "WORKROOM_CONFIRM_SECONDS": "20"}
    return LiveServer(**(shared | patient | settings))
