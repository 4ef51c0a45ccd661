"""kill -9 of the owner of the embedded database during writes: everything acknowledged is there, and nobody stays."""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest
from tests.faults.fault_table import FaultRecorder
from tests.store.postgres_server import parent_of, throw_away_folder

from workroom.store.embedded import EmbeddedPostgres
from workroom.store.embedded.orphaned_server import processes_of

# Owns the database and commits numbers; a number is printed only once its commit has returned.
OWNER = """
import sys
from pathlib import Path
import psycopg
from workroom.store.embedded import EmbeddedPostgres
with EmbeddedPostgres(Path(sys.argv[1])) as postgres, psycopg.connect(postgres.url, autocommit=True) as connection:
    connection.execute("create table if not exists ledger (n bigint primary key)")
    n = int(sys.argv[2])
    while True:
        connection.execute("insert into ledger values (%s)", (n,))
        print(n, flush=True)
        n += 1
"""


@pytest.mark.fault("F4")
@pytest.mark.parametrize(
    ("kills", "server_too"), [(10, False), (5, True)], ids=["the owner alone", "the owner and the server"]
)
def test_everything_acknowledged_survives_kills_of_the_owner(
    kills: int, server_too: bool, capsys: pytest.CaptureFixture[str], fault: FaultRecorder
) -> None:
    seed = int(os.environ.get("WORKROOM_FAULT_SEED") or random.randrange(2**32))
    chance = random.Random(seed)
    acknowledged: set[int] = set()
    with throw_away_folder() as folder:
        data = folder / "data"
        for kill in range(kills):
            writing = Writing(data, first=kill * 1_000_000)
            acknowledged |= writing.killed_after(chance.uniform(0, 0.3), server_too=server_too)
            if kill == kills - 1:  # all others meet the next start while they are still leaving
                writing.await_the_end_of_the_server()
            writing.close()
        present = ledger(data)
    lost = acknowledged - present
    with capsys.disabled():
        print(
            f"\nkill -9 of the owner{' and the server' if server_too else ''}, {kills} times: "
            f"acknowledged = {len(acknowledged)}, lost = {len(lost)}, seed = {seed}"
        )
    fault.record(runs=kills, lost=len(lost))
    assert lost == set()
    assert len(present - acknowledged) <= kills, "only the write in flight at a kill may be there unacknowledged"


class Writing:
    """A process that owns the database and writes into it."""

    def __init__(self, data: Path, *, first: int) -> None:
        self.cluster = data / "postgres"
        self.owner = subprocess.Popen(
            [sys.executable, "-c", OWNER, str(data), str(first)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.server: list[int] = []  # descriptors that tell the end of the guard, the server and its backends

    def killed_after(self, seconds: float, *, server_too: bool) -> set[int]:
        assert self.owner.stdout
        with self.owner:
            numbers = {int(self.owner.stdout.readline())}  # recovery may take its time; the clock starts with a write
            postmaster = int((self.cluster / "postmaster.pid").read_text().splitlines()[0])
            self.server = [os.pidfd_open(pid) for pid in (parent_of(postmaster), *processes_of(self.cluster))]
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                numbers.add(int(self.owner.stdout.readline()))
            if server_too:
                os.kill(postmaster, signal.SIGKILL)
            self.owner.kill()
            # The kill may cut the last line short; such a number was never acknowledged.
            return numbers | {int(line) for line in self.owner.stdout if line.endswith("\n")}

    def await_the_end_of_the_server(self) -> None:
        for descriptor in self.server:
            ended, _, _ = select.select([descriptor], [], [], 30)
            assert ended, "a process of the server outlived its owner"
        assert processes_of(self.cluster) == []

    def close(self) -> None:
        for descriptor in self.server:
            os.close(descriptor)


def ledger(data: Path) -> set[int]:
    with EmbeddedPostgres(data) as postgres, psycopg.connect(postgres.url) as connection:
        return {int(n) for (n,) in connection.execute("select n from ledger").fetchall()}
