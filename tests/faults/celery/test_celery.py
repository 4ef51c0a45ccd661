"""Celery as the engine: messages delivered again, workers killed, brokers killed and flushed. Executions are counted.

`WORKROOM_FAULT_SEED` repeats the choice of what is killed.
"""

from __future__ import annotations

import os
import random
import re
import signal
import time
from collections.abc import Generator
from pathlib import Path

import psutil
import pytest
from tests.acceptance.jobs.celery.celery_fleet import CeleryWorkerProcess, celery_server, celery_worker
from tests.acceptance.replicas.servers import Redis
from tests.faults.celery.rabbitmq import RabbitMQ
from tests.faults.fault_table import FaultRecorder
from tests.faults.kill_campaign import FUNCTIONS, PATIENCE, POLICIES, Campaign, wait_until
from tests.posting_backend import close_backend

from workroom import JobFailed, Room
from workroom.store.embedded import running_url

pytestmark = [pytest.mark.full, pytest.mark.timeout(900)]

SEED = int(os.environ.get("WORKROOM_FAULT_SEED", "0")) or random.SystemRandom().randrange(1, 2**31)
# `acks_late`, and with Redis a visibility time-out of a second: the broker delivers what still runs again.
IMPATIENT = {"CELERY_CONFIG_MODULE": "tests.faults.celery.impatient_celery"}
BROKERS = {"redis": Redis, "rabbitmq": RabbitMQ}


class World:
    """A broker, a server, and workers that come and go."""

    def __init__(self, broker: Redis | RabbitMQ, folder: Path) -> None:
        self.folder = folder
        self.broker = broker.start()
        self.server = celery_server(broker.url).start()
        database = running_url(self.server.data)
        assert database is not None
        self.campaign = Campaign(database, folder, backlog=300)
        self.workers: list[CeleryWorkerProcess] = []

    def starts_worker(self, *options: str, **settings: str) -> CeleryWorkerProcess:
        name = ("-n", f"w{len(self.workers)}@%h")
        worker = celery_worker(
            self.server, self.broker.url, "--import", FUNCTIONS, *name, *options, folder=self.folder, **settings
        )
        self.workers.append(worker)
        return worker.is_ready()

    def received(self) -> int:
        """How many messages about late calls the workers have got."""
        return sum(len(re.findall(r"Task late_side_effect\[.*received", one.output())) for one in self.workers)

    def has_begun(self, calls: int) -> None:
        wait_until(lambda: self.campaign.traces("begun").total() >= calls, lambda: self.workers[-1].output()[-3_000:])

    def remove(self) -> None:
        close_backend(self.campaign.url)
        try:
            for worker in self.workers:
                worker.stop()
        finally:
            self.server.remove()
            self.broker.remove()


@pytest.fixture(params=BROKERS)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[World]:
    made = World(BROKERS[request.param](), tmp_path)
    yield made
    (tmp_path / "go").touch()  # a test that failed may have left jobs that wait for it
    made.remove()


@pytest.mark.fault("F3")
def test_a_message_that_is_delivered_again_does_not_run_its_job_twice(world: World, fault: FaultRecorder) -> None:
    """With `acks_late`, and a visibility time-out shorter than the jobs or connections that are cut."""
    for _ in range(2):
        world.starts_worker("--no-built-in", "--concurrency", "3", **IMPATIENT)
    campaign = world.campaign
    campaign.posts("late_side_effect", 2)
    calls = 2 * len(POLICIES)
    world.has_begun(calls)
    before = world.received()
    if isinstance(world.broker, RabbitMQ):
        world.broker.cut()
    wait_until(lambda: world.received() >= before + calls, lambda: "the broker did not deliver the messages again")
    (world.folder / "go").touch()
    campaign.posts("side_effect", 10)  # behind the messages that were delivered again
    campaign.drains()
    found = campaign.verdict()
    print(f"\n{world.received() - before} messages were delivered while their jobs ran; {found}")
    fault.record(runs=world.received() - before, lost=found.lost, doubled=found.doubled)
    assert (found.lost, found.doubled, found.again, found.failed_as_lost) == (0, 0, 0, 0)
    assert set(found.attempts.values()) == {1} and found.executions == found.calls


@pytest.mark.fault("F5")
def test_a_worker_whose_broker_is_away_ends_when_it_is_asked_to(world: World) -> None:
    worker = world.starts_worker("--no-built-in")
    world.campaign.posts("late_side_effect", 1)
    world.has_begun(1)
    world.broker.kill()
    (world.folder / "go").touch()
    worker.stop()  # fails after 30 s
    assert worker.has_ended


@pytest.mark.fault("F2")
@pytest.mark.parametrize("settings", [{}, IMPATIENT], ids=["default", "acks_late"])
def test_a_killed_worker_loses_what_the_policies_say_and_no_more(
    world: World, fault: FaultRecorder, settings: dict[str, str]
) -> None:
    first = world.starts_worker("--no-built-in", "--concurrency", str(len(POLICIES)), **settings)
    campaign = world.campaign
    campaign.posts("late_side_effect", 1)
    started = len(POLICIES)
    world.has_begun(started)
    campaign.posts("late_side_effect", 2)  # no worker starts them: at most their messages have arrived
    time.sleep(2)
    began = time.monotonic()
    for child in psutil.Process(first.pid).children(recursive=True):
        child.kill()  # as with the machine: alone, they would finish their calls
    first.kill()
    world.starts_worker("--no-built-in", **settings)
    world.has_begun(started + 2)
    recovery = time.monotonic() - began
    (world.folder / "go").touch()
    campaign.drains()
    found = campaign.verdict()
    print(f"\n{started} of {found.calls} calls ran on the killed worker, others {recovery:.1f} s later; {found}")
    fault.record(lost=found.lost, doubled=found.doubled, recovery=[recovery])
    assert (found.lost, found.doubled) == (0, 0)
    assert campaign.traces("begun") == dict.fromkeys(found.attempts, 1) | {("requeue", 0): 2}
    assert found.attempts == dict.fromkeys(found.attempts, 1) | {("requeue", 0): 2}
    assert found.failed_as_lost == 2, "those that had begun, and may not begin again"


@pytest.mark.fault("F2")
def test_a_job_of_an_extension_on_a_killed_worker_fails(world: World, fault: FaultRecorder) -> None:
    first = world.starts_worker()
    with Room("celery-room", world.server.url, "ada") as room:
        job = room.run("built-in/BuiltInLate", path=str(world.folder / "late"))
        wait_until(lambda: job.refresh().progress, lambda: "the job did not start")
        children = psutil.Process(first.pid).children(recursive=True)
        began = time.monotonic()
        first.kill()
        world.starts_worker()
        with pytest.raises(JobFailed) as failed:
            job.result(PATIENCE)
        recovery = time.monotonic() - began
        assert (failed.value.detail["reason"], job.refresh().attempt) == ("worker_lost", 1)
        again = room.run("built-in/BuiltInReturns")
        lost = int(again.result(PATIENCE)["room"] != "celery-room")
    fault.record(lost=lost, recovery=[recovery])
    assert lost == 0
    wait_until(lambda: not any(child.is_running() for child in children), lambda: "processes of the worker are left")


@pytest.mark.fault("F2")
def test_workers_and_processes_killed_at_random_lose_nothing_and_double_only_what_they_may(
    world: World, fault: FaultRecorder
) -> None:
    chance = random.Random(SEED)
    campaign, kills, workers = world.campaign, 8, 0
    living = [world.starts_worker("--no-built-in", **IMPATIENT) for _ in range(2)]
    campaign.goes_on()
    for number in range(kills):
        begun = campaign.traces("begun").total()
        wait_until(lambda begun=begun: campaign.goes_on() or campaign.traces("begun").total() > begun + 20)
        time.sleep(chance.uniform(0.0, 0.25))
        victim = chance.choice(living)
        executing = [child.pid for child in psutil.Process(victim.pid).children() if _is_named_in(world, child.pid)]
        if number % 2 and executing:
            os.kill(chance.choice(executing), signal.SIGKILL)
        else:
            workers += 1
            victim.kill()
            living[living.index(victim)] = world.starts_worker("--no-built-in", **IMPATIENT)
    campaign.drains()
    found = campaign.verdict()
    print(f"\nseed {SEED}: {kills} kills, {workers} of them of whole workers; {found}")
    fault.record(runs=kills, lost=found.lost, doubled=found.doubled)
    assert (found.lost, found.doubled) == (0, 0)


def _is_named_in(world: World, pid: int) -> bool:
    return (world.folder / f"{pid}.log").exists()


@pytest.mark.fault("F5")
def test_a_broker_that_is_flushed_and_killed_loses_no_job_and_doubles_none(world: World, fault: FaultRecorder) -> None:
    world.starts_worker("--no-built-in")
    campaign = world.campaign
    campaign.posts("side_effect", 200)
    calls = 200 * len(POLICIES)
    world.has_begun(20)
    world.broker.flush()
    world.has_begun(calls // 3)
    world.broker.kill()
    time.sleep(1)
    world.broker.start()
    began = time.monotonic()
    before = campaign.traces("begun").total()
    world.has_begun(min(calls, before + 1))
    recovery = time.monotonic() - began
    campaign.drains()
    found = campaign.verdict()
    print(f"\nthe broker flushed and killed: calls went on after {recovery:.1f} s; {found}")
    fault.record(runs=2, lost=found.lost, doubled=found.doubled, recovery=[recovery])
    assert (found.lost, found.doubled, found.again, found.failed_as_lost) == (0, 0, 0, 0)
    assert set(found.attempts.values()) == {1} and found.executions == found.calls
