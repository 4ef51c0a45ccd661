"""The processes of a soak: PostgreSQL, a server, remote workers and a pool. Each can be broken and healed."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import psycopg

from tests.acceptance.live import ROOT, LiveServer
from tests.soak import pool_program
from workroom.domain.errors import WorkroomError
from workroom.store.embedded import EmbeddedPostgres
from workroom.store.embedded.data_dir import cluster_of
from workroom.store.migrate import upgrade

WORKERS = 2


class Program:
    """A program that is started again when it has ended."""

    def __init__(self, arguments: list[str], folder: Path, name: str) -> None:
        self._arguments = arguments
        self._folder = folder
        self.name = name
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        if self.process is None or self.process.poll() is not None:
            with (self._folder / f"{self.name}.out").open("ab") as output:
                self.process = subprocess.Popen(
                    [sys.executable, *self._arguments],
                    stdout=output,
                    stderr=output,
                    env=os.environ | {pool_program.FOLDER: str(self._folder)},
                    cwd=ROOT,
                )

    def signal(self, number: int) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    def children(self) -> list[psutil.Process]:
        """The processes that run calls."""
        if self.process is None or self.process.poll() is not None:
            return []
        try:
            children = psutil.Process(self.process.pid).children()
            return [one for one in children if "spawn_main" in " ".join(one.cmdline())]
        except psutil.Error:
            return []

    def end(self) -> None:
        if self.process is None:
            return
        children = self.children()
        for pid in [self.process.pid, *(child.pid for child in children)]:
            try:
                os.kill(pid, signal.SIGCONT)
            except ProcessLookupError:
                continue
        self.signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for child in children:
            if child.is_running():
                child.kill()


@dataclass
class World:
    """Everything that a soak starts, in one throw-away folder."""

    chance: random.Random
    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="workroom-test-soak-")))

    def __post_init__(self) -> None:
        self.folder.chmod(0o777)
        self.postgres = EmbeddedPostgres(self.folder / "database")
        self.postgres.start()
        upgrade(self.postgres.url)
        self.url = self.postgres.url
        self.server = LiveServer(
            WORKROOM_DATABASE=self.url, WORKROOM_CONNECTIONS="10", WORKROOM_SUBMISSIONS_PER_MINUTE="1000000"
        ).start()
        script = str(Path(__file__).with_name("worker_program.py"))
        self.workers = [
            Program([script, self.server.url, str(self.folder)], self.folder, f"worker-{number}")
            for number in range(WORKERS)
        ]
        self.pool = Program(["-m", "tests.soak.pool_program", self.url], self.folder, "pool")
        self.heal()

    @property
    def programs(self) -> list[Program]:
        return [*self.workers, self.pool]

    def kill_postgres(self) -> None:
        """kill -9 of the postmaster; its backends end with it."""
        pid = (cluster_of(self.postgres.data) / "postmaster.pid").read_text().splitlines()[0]
        os.kill(int(pid), signal.SIGKILL)

    def restart_server(self, *, orderly: bool) -> None:
        if orderly:
            self.server.stop()
        else:
            self.server.kill()
        self.heal_database()
        self.server.start()

    def heal_database(self) -> None:
        """Start PostgreSQL if it was killed, and wait until it answers. Its owner may not have noticed its end yet."""
        deadline = time.monotonic() + 60.0
        while True:
            try:
                self.postgres.start()
                psycopg.connect(self.url, connect_timeout=5).close()
                return
            except (psycopg.OperationalError, WorkroomError):
                assert time.monotonic() < deadline, "PostgreSQL did not start again"
                time.sleep(0.1)

    def heal(self) -> None:
        """Start whatever has ended."""
        self.heal_database()
        for program in self.programs:
            program.start()

    def executions(self) -> list[list[str]]:
        """The lines that executions left: begun or ended, job, attempt, token."""
        return [line.split() for file in self.folder.glob("*.log") for line in file.read_text().splitlines()]

    def output(self) -> str:
        """What the programs printed, and the server's log."""
        printed = [file.read_text(errors="replace") for file in sorted(self.folder.glob("*.out"))]
        return "\n".join([*printed, self.server.log()])

    def close(self) -> None:
        for program in self.programs:
            program.end()
        self.server.remove()
        self.postgres.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
