"""A server whose engine is Celery, the broker, and workers started with `workroom celery`."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.acceptance.live import ADMIN_PASSWORD, QUICK, ROOT, LiveServer
from tests.acceptance.replicas.servers import Redis

from workroom.store.embedded import running_url

FUNCTIONS = "tests.acceptance.pool_functions"
# A worker has many processes to start: on a busy machine its heartbeats may be late.
_PATIENT = {"WORKROOM_LEASE_SECONDS": "10"}


class CeleryWorkerProcess:
    """`workroom celery` as a process of its own."""

    def __init__(self, server: LiveServer, broker: str, options: Sequence[str], **settings: str) -> None:
        database = running_url(server.data)
        assert database is not None
        environment = {name: value for name, value in os.environ.items() if not name.startswith("WORKROOM_")} | QUICK
        environment |= {
            "WORKROOM_BROKER": broker,
            "WORKROOM_DATABASE": database,
            "WORKROOM_DATA": str(server.data),
            "WORKROOM_URL": server.url,
            "WORKROOM_USER": "admin",
            "WORKROOM_PASSWORD": ADMIN_PASSWORD,
            "WORKROOM_POOL_MODULES": "tests.acceptance.built_in",
            "WORKROOM_POOL_MEMORY_MB": "1500",
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        }
        # A file and no pipe: processes that outlive a killed worker would keep the pipe open.
        with tempfile.NamedTemporaryFile(prefix="workroom-test-", suffix=".log", delete=False) as log:
            self._log = Path(log.name)
            self._process = subprocess.Popen(
                [sys.executable, "-m", "workroom.cli", "celery", "--without-mingle", *options],
                env=environment | settings,
                cwd=ROOT,
                stdout=log,
                stderr=log,
            )

    def is_ready(self) -> CeleryWorkerProcess:
        deadline = time.monotonic() + 90
        while not re.search(r"\S+@\S+ ready\.", self.output()):
            if self._process.poll() is not None or time.monotonic() > deadline:
                said = self.output()
                self.kill()
                raise AssertionError(f"the worker did not start:\n{said}")
            time.sleep(0.05)
        return self

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def output(self) -> str:
        return self._log.read_text() if self._log.exists() else ""

    def kill(self) -> None:
        """kill -9, as the machine's kernel might."""
        self._process.kill()
        self._process.wait(timeout=60)

    def stop(self) -> int:
        """A warm shutdown: it finishes its jobs. It is killed if they do not end."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        finally:
            self._log.unlink(missing_ok=True)


def celery_server(broker: str, **settings: str) -> LiveServer:
    """A server, not started yet, that publishes its jobs to the broker."""
    return LiveServer(
        **{
            "WORKROOM_ENGINE": "celery",
            "WORKROOM_BROKER": broker,
            "WORKROOM_CELERY_REPUBLISH_SECONDS": "1",
        }
        | _PATIENT
        | settings
    )


def celery_worker(
    server: LiveServer, broker: str, *options: str, folder: Path | None = None, **settings: str
) -> CeleryWorkerProcess:
    """A worker with two slots for built-in extensions and functions; jobs may write to `folder`."""
    if folder is not None:
        settings["WORKROOM_POOL_WRITABLE"] = str(folder)
    return CeleryWorkerProcess(
        server, broker, ["--import", FUNCTIONS, "--concurrency", "2", "--loglevel", "info", *options], **settings
    )


class CeleryFleet(NamedTuple):
    """A server and one worker."""

    server: LiveServer
    worker: CeleryWorkerProcess
    broker: str

    @property
    def database(self) -> str:
        url = running_url(self.server.data)
        assert url is not None
        return url


@contextmanager
def redis_fleet(folder: Path, *options: str, **settings: str) -> Generator[CeleryFleet]:
    """With a Redis of its own. Jobs may write to `folder`."""
    redis = Redis().start()
    try:
        with fleet(redis.url, folder, *options, **settings) as made:
            yield made
    finally:
        redis.remove()


@contextmanager
def fleet(broker: str, folder: Path, *options: str, **settings: str) -> Generator[CeleryFleet]:
    server = celery_server(broker).start()
    worker: CeleryWorkerProcess | None = None
    try:
        worker = celery_worker(server, broker, *options, folder=folder, **settings).is_ready()
        yield CeleryFleet(server, worker, broker)
    finally:
        if worker is not None:
            worker.stop()
        server.remove()
