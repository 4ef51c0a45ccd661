"""Workers that live through a gap in which no heartbeat can arrive, and the account of what became of them."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from tests.acceptance.live import QUICK, ROOT, LiveServer, Someone, eventually

from workroom.store.embedded.orphaned_server import processes_of

# Several workers in one process: each has a registration, a socket and heartbeats of its own.
SCRIPT = """
import sys, time
from pathlib import Path
from workroom import Category, Extension, Room

url, notes, names = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]

class Steps(Extension):
    category = Category.MODIFIER
    seconds: float = 0.0

    def run(self, vis, **kwargs):
        with notes.open("a") as file:
            file.write(f"{vis.job_id}\\n")
        until = time.monotonic() + self.seconds
        while time.monotonic() < until:
            time.sleep(0.01)

class RequeuedSteps(Steps):
    pass

rooms = [Room("lab", url, "ada") for name in names]
for number, room in enumerate(rooms):
    if number % 2:
        room.register_extension(RequeuedSteps, on_worker_lost="requeue")
    else:
        room.register_extension(Steps)
print("online", flush=True)
rooms[0].wait()
"""
PER_PROCESS = 3
DEFAULT_TIMING: dict[str, str] = {name: "" for name in QUICK if name.endswith("_SECONDS")}


@dataclass(frozen=True)
class Account:
    """What a gap did."""

    workers: int
    lost: int  # workers that were declared lost
    failed: int  # jobs that did not complete
    repeated: int  # jobs that ran more than once
    released: int  # jobs that needed a second attempt
    seconds: float  # from the end of the gap until every job had ended

    @property
    def harm(self) -> tuple[int, int, int, int]:
        return self.lost, self.failed, self.repeated, self.released

    def __str__(self) -> str:
        return (
            f"workers {self.workers}, lost {self.lost}, jobs failed {self.failed}, run twice {self.repeated}, "
            f"second attempts {self.released}, all ended after {self.seconds:.1f} s"
        )


class LivingWorkers:
    """Processes with workers at one server."""

    def __init__(self, folder: Path, url: str, processes: int) -> None:
        self._notes = folder / "notes"
        self._notes.touch()
        script = folder / "worker.py"
        script.write_text(SCRIPT)
        self._log = (folder / "log").open("w")
        self.count = processes * PER_PROCESS
        names = [f"worker-{number}" for number in range(self.count)]
        self.processes = [
            subprocess.Popen(
                [sys.executable, script, url, self._notes, *names[first : first + PER_PROCESS]],
                stdout=subprocess.PIPE,
                stderr=self._log,
                text=True,
            )
            for first in range(0, self.count, PER_PROCESS)
        ]
        for process in self.processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "online\n", (folder / "log").read_text()

    @property
    def pids(self) -> list[int]:
        return [process.pid for process in self.processes]

    def ran(self) -> list[str]:
        return self._notes.read_text().split()

    def end(self) -> None:
        for process in self.processes:
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
        self._log.close()


async def through_gap(
    server: LiveServer,
    database: str,
    workers: LivingWorkers,
    gap: Callable[[], Awaitable[None]],
    *,
    longest: float,
    lease: float,
    chance: random.Random,
) -> Account:
    """Give each worker a job that lasts into the gap or past it, and one that waits behind it; then comes the gap."""
    ada = await Someone.signs_in(server, "ada")
    already = set(workers.ran())
    with psycopg.connect(database, autocommit=True) as connection:
        before = dict(_incarnations(connection))
    names = ["Steps" if number % PER_PROCESS % 2 == 0 else "RequeuedSteps" for number in range(workers.count)]
    ids = [(await ada.submits("lab", name, {"seconds": chance.uniform(0.3, 1.3) * longest}))["jobId"] for name in names]

    async def started() -> set[str]:
        return set(workers.ran())

    await eventually(started, lambda ran: set(ids) <= ran, 20, "every job started")
    ids += [(await ada.submits("lab", name, {"seconds": 0.1}))["jobId"] for name in names]
    await gap()
    healed = time.monotonic()

    async def unfinished() -> int:
        listed = await ada.get("/api/rooms/lab/jobs", status="pending,assigned,running", limit=500)
        return len(listed["items"])

    await eventually(_patient(unfinished), lambda count: count == 0, longest + lease + 30, "all jobs ended")
    seconds = time.monotonic() - healed
    jobs = [await ada.job(job_id) for job_id in ids]
    ran = [job_id for job_id in workers.ran() if job_id not in already]
    with psycopg.connect(database, autocommit=True) as connection:
        after = dict(_incarnations(connection))
    await ada.close()
    return Account(
        workers=len(before),
        lost=sum(after.get(worker) != incarnation for worker, incarnation in before.items()),
        failed=sum(job["status"] != "completed" for job in jobs),
        repeated=len(ran) - len(set(ran)),
        released=sum(job["attempt"] > 1 for job in jobs),
        seconds=seconds,
    )


def _incarnations(connection: psycopg.Connection) -> list[tuple[Any, Any]]:
    """Of the remote workers that have not ended: a lost one is missing, or has registered again."""
    query = "SELECT id, incarnation FROM worker WHERE kind = 'remote' AND ended_at IS NULL"
    return [(row[0], row[1]) for row in connection.execute(query).fetchall()]


def _patient(look: Callable[[], Awaitable[int]]) -> Callable[[], Awaitable[int]]:
    async def looks() -> int:
        try:
            return await look()
        except Exception:  # the server is not back yet
            return -1

    return looks


def freeze(pids: list[int], chance: random.Random) -> None:
    _signal_all(pids, signal.SIGSTOP, chance)


def thaw(pids: list[int], chance: random.Random) -> None:
    _signal_all(pids, signal.SIGCONT, chance)


def _signal_all(pids: list[int], number: signal.Signals, chance: random.Random) -> None:
    """Send a signal to the processes in a random order. One that has ended since it was listed is left out."""
    for pid in chance.sample(pids, len(pids)):
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def database_processes(data: Path) -> list[int]:
    return processes_of(data / "postgres")


class Pool:
    """`workroom pool` in a process of its own, beside a database."""

    def __init__(self, folder: Path, *options: str, **environment: str) -> None:
        self._log_file = folder / "pool.log"
        self._log = self._log_file.open("a")
        kept = {name: value for name, value in os.environ.items() if not name.startswith("WORKROOM_")}
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "workroom.cli", "pool", "--workers", "1"),
                *("--import", str(ROOT / "tests/faults/pools/side_effects.py"), *options),
            ],
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            env=kept | environment,
        )
        assert self.process.stdout is not None
        assert "process runs" in self.process.stdout.readline(), self.log()

    def log(self) -> str:
        return self._log_file.read_text()

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._log.close()
