"""A RabbitMQ of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from workroom.celery.app import QUEUE, celery_app

_PROGRAMS = Path("/usr/lib/rabbitmq/bin")


class RabbitMQ:
    """A node with throw-away data, which can be killed and started again. Its programs need a home for their cookie."""

    def __init__(self) -> None:
        with socket.socket() as free, socket.socket() as other, socket.socket() as third:
            for one in (free, other, third):
                one.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
            self._distribution: int = other.getsockname()[1]
            self._names: int = third.getsockname()[1]  # of Erlang's name server, which outlives the node
        self._folder = Path(tempfile.mkdtemp(prefix="workroom-test-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self._folder),
            "RABBITMQ_NODENAME": f"t{self.port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "ERL_EPMD_PORT": str(self._names),
            "RABBITMQ_NODE_PORT": str(self.port),
            "RABBITMQ_DIST_PORT": str(self._distribution),
            "RABBITMQ_MNESIA_BASE": str(self._folder / "data"),
            "RABBITMQ_LOG_BASE": str(self._folder / "log"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self._folder / "plugins"),
            "RABBITMQ_PID_FILE": str(self._folder / "pid"),
        }

    @property
    def url(self) -> str:
        return f"amqp://guest:guest@127.0.0.1:{self.port}//"

    def start(self) -> RabbitMQ:
        if not (_PROGRAMS / "rabbitmq-server").exists():
            pytest.skip("rabbitmq-server is not installed")
        (self._folder / "plugins").write_text("[].\n")
        with (self._folder / "output").open("w") as output:
            self._process = subprocess.Popen(
                [str(_PROGRAMS / "rabbitmq-server")],
                env=self._environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        deadline = time.monotonic() + 120
        while True:
            try:
                with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                    connection.sendall(b"AMQP\x00\x00\x09\x01")
                    if connection.recv(1):
                        return self
            except OSError:
                pass
            assert self._process.poll() is None and time.monotonic() < deadline, (self._folder / "output").read_text()
            time.sleep(0.2)

    def flush(self) -> None:
        """The messages in the queue of Workroom are gone; those at workers are not."""
        with celery_app(self.url).connection() as connection:
            connection.default_channel.queue_purge(QUEUE)

    def cut(self) -> None:
        """Close all connections: what workers have not acknowledged is delivered again."""
        command = [str(_PROGRAMS / "rabbitmqctl"), "close_all_connections", "cut by the test"]
        subprocess.run(command, env=self._environment, check=True, capture_output=True, timeout=60)

    def kill(self) -> None:
        assert self._process is not None
        os.killpg(self._process.pid, 9)
        self._process.wait()

    def remove(self) -> None:
        if self._process is not None:
            if self._process.poll() is None:
                self.kill()
            # The name server ends only when it has seen that the node is gone.
            end = ["epmd", "-port", str(self._names), "-kill"]
            deadline = time.monotonic() + 10
            while b"Killed" not in subprocess.run(end, capture_output=True, check=False).stdout:
                assert time.monotonic() < deadline, "Erlang's name server does not end"
                time.sleep(0.1)
        shutil.rmtree(self._folder, ignore_errors=True)
