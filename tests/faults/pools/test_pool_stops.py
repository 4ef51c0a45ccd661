"""Pools that are stopped, recycled or orphaned under load: no call that has returned runs again.

Each call appends its number to a file when it is about to return. A number that is there twice ran again.
`WORKROOM_FAULT_SEED` repeats a run.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, ClassVar

import psutil
import psycopg
import pytest
from tests.workshop import MISCOUNTED

from workroom import ClusterPool, ClusterProcess, Registry
from workroom.worker.loading import load

FUNCTIONS = "tests.faults.pools.stop_functions"
PATIENCE = 120.0
POOL = """
import sys
from workroom import ClusterPool
ClusterPool(2, [sys.argv[1]], sys.argv[2], recycle_after=int(sys.argv[3]) or None, profile=0.0).run()
"""


@pytest.fixture(autouse=True)
def functions() -> None:
    load(FUNCTIONS)


class PoolProgram:
    """A pool as a program of its own, as `workroom pool` is."""

    def __init__(self, database: str, recycle_after: int = 0) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", POOL, FUNCTIONS, database, str(recycle_after)])

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(PATIENCE) == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)


@pytest.fixture
def program(database: str) -> Generator[Callable[..., PoolProgram]]:
    started: list[PoolProgram] = []

    def start(recycle_after: int = 0) -> PoolProgram:
        started.append(PoolProgram(database, recycle_after))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            children = one.children()
            one.kill()
            for child in children:
                if child.is_running():
                    child.kill()


def until(true: Callable[[], object], seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.01)


def ran_again(path: Path) -> list[int]:
    """The calls that ran more than once."""
    calls = Counter(int(line) for line in path.read_text().splitlines())
    return [number for number, times in calls.items() if times > 1]


def counted(database: str, state: str) -> int:
    with psycopg.connect(database, autocommit=True) as connection:
        found = connection.execute("SELECT count(*) FROM job WHERE state = %s::job_state", [state]).fetchone()
        assert connection.execute(MISCOUNTED.encode()).fetchall() == []
    assert found is not None
    return int(found[0])


Program = Callable[..., PoolProgram]


def _stop_under_load(database: str, folder: Path, program: Program, calls: int) -> None:
    """One stop in the middle of the calls, and many recyclings before and after it."""
    seed = int(os.environ.get("WORKROOM_FAULT_SEED") or random.randrange(2**32))
    chance = random.Random(seed)
    path = folder / "calls"
    size = chance.choice((10, 200, 2_000))
    posting = Registry["noted"].post_work((str(path), n, size) for n in range(calls))
    pool = program(recycle_after=chance.randrange(calls // 30, calls // 3))
    wanted = chance.uniform(0.05, 0.6) * calls
    until(lambda: posting.counts().ended >= wanted)
    pool.stop()
    last = program(recycle_after=chance.randrange(calls // 30, calls // 3))
    posting.wait(PATIENCE)
    last.stop()
    repeated = ran_again(path)
    print(f"seed {seed}: {calls:,} calls, returned and ran again: {len(repeated)}")
    assert repeated == []
    assert len(path.read_text().split()) == calls == counted(database, "completed")


@pytest.mark.full
def test_a_stopped_and_recycled_pool_repeats_no_call_that_has_returned(
    database: str, tmp_path: Path, program: Program
) -> None:
    _stop_under_load(database, tmp_path, program, calls=8_000)


@pytest.mark.full
@pytest.mark.parametrize("stop", range(20))
def test_twenty_stops_and_recyclings_repeat_no_call_that_has_returned(
    database: str, tmp_path: Path, program: Program, stop: int
) -> None:
    _stop_under_load(database, tmp_path, program, calls=60_000)


class SlowlySpawned(ClusterProcess):
    """The second one starts only when the test lets it."""

    made: ClassVar[list[SlowlySpawned]] = []
    spawning, go = threading.Event(), threading.Event()

    def start(self) -> None:
        self.made.append(self)
        if len(self.made) == 2:
            self.spawning.set()
            self.go.wait(PATIENCE)
        super().start()


def test_a_process_that_is_spawned_while_the_pool_stops_is_stopped_and_not_killed(
    database: str, tmp_path: Path
) -> None:
    """A killed one would leave calls behind that have returned and are not reported."""
    path = tmp_path / "calls"
    posting = Registry["noted"].post_work((str(path), n) for n in range(20_000))
    pool = ClusterPool(1, [FUNCTIONS], process_class=SlowlySpawned, recycle_after=1_000, profile=0.0).start()
    assert SlowlySpawned.spawning.wait(PATIENCE)
    stopping = threading.Thread(target=pool.stop)
    stopping.start()
    time.sleep(0.2)  # it has seen which processes there are
    SlowlySpawned.go.set()
    stopping.join(PATIENCE)
    assert not stopping.is_alive()
    assert [one.exitcode for one in SlowlySpawned.made][1] in (0, -signal.SIGTERM)
    with ClusterPool(2, [FUNCTIONS], profile=0.0):
        posting.wait(PATIENCE)
    assert ran_again(path) == []


@pytest.mark.full
def test_a_stopped_process_waits_for_a_database_that_is_away(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    monkeypatch.setenv("WORKROOM_TEST_FLUSH_CHECK_SECONDS", "0.3")
    path = tmp_path / "calls"
    posting = Registry["noted"].post_work((str(path), n) for n in range(20_000))
    pool = program()
    until(lambda: posting.counts().ended > 1_000)
    with psycopg.connect(database) as connection:
        connection.execute("LOCK TABLE job IN SHARE ROW EXCLUSIVE MODE")  # no report gets through
        # All that is at hand has run when no further call comes.
        until(lambda seen=[0]: _is_still(path, seen))
        pool.process.send_signal(signal.SIGTERM)
        with pytest.raises(subprocess.TimeoutExpired):
            pool.process.wait(3.0)
    assert pool.process.wait(PATIENCE) == 0
    last = program()
    posting.wait(PATIENCE)
    last.stop()
    assert ran_again(path) == []


def _is_still(path: Path, seen: list[int]) -> bool:
    before, seen[0] = seen[0], path.stat().st_size
    time.sleep(0.2)
    return path.stat().st_size == seen[0] == before


def test_a_call_past_its_timeout_takes_no_returned_call_with_it(database: str, tmp_path: Path) -> None:
    posting = Registry["stage"].post_work((str(tmp_path), n) for n in range(320))
    with ClusterPool(1, [FUNCTIONS], profile=0.0), psycopg.connect(database) as connection:
        until((tmp_path / "reached").exists)
        connection.execute("LOCK TABLE job IN SHARE ROW EXCLUSIVE MODE")
        (tmp_path / "go").touch()
        until(lambda: "310" in (tmp_path / "calls").read_text().split())
        time.sleep(0.7)  # past the timeout of 310, while the calls before it have returned and could not be reported
        connection.rollback()
        posting.wait(PATIENCE)
    assert ran_again(tmp_path / "calls") == []
    (failure,) = posting.failures()
    assert (failure.position, failure.type, failure.reason) == (310, "JobTimeout", "timeout")


def test_orphaned_processes_end_though_calls_wait(database: str, tmp_path: Path, program: Program) -> None:
    path = tmp_path / "pids"
    Registry["brief"].post_work((str(path), n) for n in range(2_000))
    pool = program()
    until(lambda: path.exists() and len(set(path.read_text().split())) == 2)
    children = pool.children()
    pool.kill()
    until(lambda: not any(child.is_running() for child in children), 15.0)
    assert counted(database, "pending") > 500
    assert counted(database, "assigned") + counted(database, "running") == 0


def test_an_orphaned_process_ends_at_the_timeout_of_its_call(database: str, tmp_path: Path, program: Program) -> None:
    path = tmp_path / "pids"
    posting = Registry["overlong"].post_work([(str(path),)])
    pool = program()
    until(lambda: path.exists() and path.read_text())
    child = psutil.Process(int(path.read_text()))
    pool.kill()
    until(lambda: not child.is_running(), 15.0)
    assert posting.wait(PATIENCE).status == "failed"
    (failure,) = posting.failures()
    assert (failure.type, failure.reason) == ("JobTimeout", "timeout")


@pytest.mark.parametrize("function", ["wordy", "odd"])
def test_an_outcome_that_cannot_be_stored_fails_its_own_job_alone(database: str, function: str) -> None:
    posting = Registry[function].post_work([(n,) for n in range(200)])
    with ClusterPool(1, [FUNCTIONS], profile=0.0) as pool:
        posting.wait(PATIENCE)
        assert pool.failure_count == 0
    (failure,) = posting.failures()
    assert failure.args == (7,) and failure.message
    assert list(posting.results(failed="skip")) == [n for n in range(200) if n != 7]


def _results_arrive(database: str, folder: Path, function: str, arguments: Callable[[int], Any], many: int) -> None:
    path = folder / "calls"
    posting = Registry[function].post_work((str(path), *arguments(n)) for n in range(many))
    with ClusterPool(2, [FUNCTIONS], profile=0.0) as pool:
        assert posting.wait(600.0).status == "completed"
        assert pool.failure_count == 0
    assert sum(1 for _ in posting.results()) == many
    assert ran_again(path) == []
    assert counted(database, "completed") == many


@pytest.mark.full
def test_results_that_together_exceed_a_limit_of_postgresql_all_arrive(database: str, tmp_path: Path) -> None:
    # 45 MB of JSON, which would be 270 MB of jsonb in one value.
    _results_arrive(database, tmp_path, "numbers", lambda n: (n, 450_000), 50)


@pytest.mark.full
def test_thirteen_hundred_results_of_900_kb_all_arrive(database: str, tmp_path: Path) -> None:
    _results_arrive(database, tmp_path, "noted", lambda n: (n, 900_000), 1_300)
