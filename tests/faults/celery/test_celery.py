"""Celery as the engine: messages delivered twice, a worker killed, a broker killed and flushed. Each call runs once."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from uuid import UUID

import psutil
import psycopg
import pytest
from tests.acceptance import pool_functions
from tests.acceptance.jobs.celery.celery_fleet import CeleryFleet, CeleryWorkerProcess, celery_server, celery_worker
from tests.acceptance.replicas.servers import Redis
from tests.faults.fault_table import FaultRecorder
from tests.posting_backend import close_backend

from workroom import JobFailed, Room

pytestmark = pytest.mark.full

PATIENCE = 120.0


class World:
    """A broker, a server, and workers that come and go."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.redis = Redis().start()
        self.server = celery_server(self.redis.url).start()
        self.workers: list[CeleryWorkerProcess] = []

    @property
    def database(self) -> str:
        return CeleryFleet(self.server, self.workers[0], self.redis.url).database

    def starts_worker(self, *options: str, **settings: str) -> CeleryWorkerProcess:
        worker = celery_worker(self.server, self.redis.url, *options, folder=self.folder, **settings)
        self.workers.append(worker)
        return worker.is_ready()

    def runs(self, count: int) -> Counter[int]:
        """How often each call ran."""
        return Counter({number: len((self.folder / str(number)).read_text()) for number in range(count)})

    def running(self, posting_id: UUID) -> int:
        """How many calls of a posting run, as far as the database knows."""
        query = "SELECT count(*) FROM job WHERE posting_id = %s AND state = 'running'"
        with psycopg.connect(self.database) as connection:
            row = connection.execute(query, [posting_id]).fetchone()
        assert row is not None
        return int(row[0])

    def remove(self) -> None:
        if self.workers:
            close_backend(self.database)
        try:
            for worker in self.workers:
                worker.stop()
        finally:
            self.server.remove()
            self.redis.remove()


@pytest.fixture
def world(tmp_path: Path) -> Generator[World]:
    made = World(tmp_path)
    yield made
    (tmp_path / "go").touch()  # a test that failed may have left jobs that wait for it
    made.remove()


def _until(true: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


@pytest.mark.fault("F3")
def test_a_visibility_time_out_shorter_than_the_job_does_not_run_it_twice(world: World, fault: FaultRecorder) -> None:
    settings = {"CELERY_CONFIG_MODULE": "tests.faults.celery.impatient_celery"}
    workers = [world.starts_worker("-n", f"w{number}@%h", **settings) for number in range(2)]
    go = world.folder / "go"
    waiting = pool_functions.after_file.post_work([(str(go), 1)], database=world.database)
    job = f"{waiting.id}-1"

    def deliveries() -> int:
        return sum(worker.output().count(f"Task after_file[{job}] received") for worker in workers)

    _until(lambda: deliveries() >= 2, "the broker never delivered the message again")
    notes = pool_functions.note.post_work(
        [(str(world.folder), number) for number in range(20)], database=world.database
    )
    go.touch()
    assert list(waiting.results()) == [1]
    notes.wait(PATIENCE)
    assert world.runs(20) == Counter(dict.fromkeys(range(20), 1))
    fault.record(lost=0, doubled=0)


@pytest.mark.fault("F2")
def test_a_killed_worker_loses_what_its_policy_says_and_no_more(world: World, fault: FaultRecorder) -> None:
    first = world.starts_worker("-n", "first@%h")
    go = world.folder / "go"
    with Room("celery-room", world.server.url, "ada") as room:
        started = room.run("built-in/BuiltInLate", path=str(world.folder / "late"))
        _until(lambda: started.refresh().progress, "the job did not start")
        posting = pool_functions.after_file.post_work([(str(go), 7)], database=world.database)
        _until(lambda: world.running(posting.id) == 1, "the call did not start")
        children = psutil.Process(first.pid).children(recursive=True)
        began = time.monotonic()
        first.kill()
        second = world.starts_worker("-n", "second@%h")
        # The policy of an extension's job that has started: it fails. That of a posting: it waits and runs again.
        with pytest.raises(JobFailed) as failed:
            started.result(PATIENCE)
        assert failed.value.detail["reason"] == "worker_lost"
        recovery = time.monotonic() - began
        go.touch()
        assert list(posting.results()) == [7]
        assert room.run("built-in/BuiltInReturns").result(PATIENCE)["room"] == "celery-room"
        assert second.pid != first.pid
    _until(lambda: not any(child.is_running() for child in children), "processes of the killed worker are left")
    fault.record(lost=0, recovery=[recovery])


@pytest.mark.fault("F5")
def test_a_broker_that_is_flushed_and_killed_loses_no_job_and_doubles_none(world: World, fault: FaultRecorder) -> None:
    world.starts_worker()
    count = 300
    posting = pool_functions.note.post_work([(str(world.folder), n) for n in range(count)], database=world.database)
    _until(lambda: posting.counts().completed > 20, "the calls do not run")
    world.redis.flush()
    _until(lambda: posting.counts().completed > 100, "the calls did not go on after the broker lost its messages")
    world.redis.kill()
    time.sleep(1)
    world.redis.start()
    began = time.monotonic()
    posting.wait(PATIENCE)
    assert world.runs(count) == Counter(dict.fromkeys(range(count), 1))
    fault.record(lost=0, doubled=0, recovery=[time.monotonic() - began])
