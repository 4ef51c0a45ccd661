"""What a fleet remembers from one look to the next."""

from __future__ import annotations

import time
from itertools import count
from typing import Any

import pytest

from workroom.domain.errors import NotFound, ServerUnreachable
from workroom.domain.jobs.resources import Resources
from workroom.worker.fleet.backend import BackendError, StartedWorker
from workroom.worker.fleet.fleet import Fleet
from workroom.worker.fleet.plan import Demand

GPU = {"gpus": 1.0}


class Place:
    """A place that runs workers, in memory: it refuses GPUs."""

    def __init__(self) -> None:
        self.running: dict[str, StartedWorker] = {}
        self.asked: list[Resources] = []
        self.stopped: list[str] = []
        self.staying: set[str] = set()
        self._numbers = count(1)

    def start(self, resources: Resources, *, stays: bool) -> str:
        self.asked.append(dict(resources))
        if "gpus" in resources:
            raise BackendError("sbatch failed: no GPU here.")
        number = str(next(self._numbers))
        if stays:
            self.staying.add(number)
        self.running[number] = StartedWorker(number, resources, time_limit=120.0)
        return number

    def workers(self) -> list[StartedWorker]:
        return list(self.running.values())

    def stop(self, worker: StartedWorker) -> None:
        self.stopped.append(worker.id)
        del self.running[worker.id]

    def told(self, worker: str) -> str:
        return f"job {worker}, whose log is {worker}.log"

    def is_same(self, worker: StartedWorker, info: dict[str, Any]) -> bool:
        return info["pid"] == worker.id


class Rooms:
    """A server, in memory."""

    def __init__(self) -> None:
        self.waiting: list[Demand] = []
        self.states: dict[str, str] = {}
        self.error: Exception | None = None

    def demand(self) -> list[Demand]:
        if self.error is not None:
            raise self.error
        return self.waiting

    def workers(self) -> list[dict[str, Any]]:
        served = {"busy": "2030-01-01T00:00:00Z"}
        return [
            {"info": {"pid": pid}, "state": state, "servedAt": served.get(state)} for pid, state in self.states.items()
        ]


@pytest.fixture
def place() -> Place:
    return Place()


@pytest.fixture
def rooms() -> Rooms:
    return Rooms()


@pytest.fixture
def fleet(place: Place, rooms: Rooms, said: list[str]) -> Fleet:
    return Fleet(rooms, place, minimum=0, maximum=3, every=0.1, say=said.append)


@pytest.fixture
def said() -> list[str]:
    return []


def test_a_refused_start_is_told_once_and_does_not_hold_up_others(
    fleet: Fleet, place: Place, rooms: Rooms, caplog: pytest.LogCaptureFixture
) -> None:
    rooms.waiting = [Demand(1, GPU), Demand(1)]
    for _ in range(3):
        fleet.look()
    assert place.asked == [GPU, {}], "the GPU is tried again only after a pause"
    told = [record.getMessage() for record in caplog.records if "gpus=1" in record.getMessage()]
    assert told == ["no worker with gpus=1 is started: sbatch failed: no GPU here. Next try in 5 s."]


def test_workers_that_end_without_a_job_are_not_started_again_at_once(
    fleet: Fleet, place: Place, rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms.waiting = [Demand(1)]
    fleet.look()
    place.running.clear()
    fleet.look()
    assert len(place.asked) == 1
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 6)
    fleet.look()
    assert len(place.asked) == 2


def test_workers_that_had_jobs_are_replaced_at_once(fleet: Fleet, place: Place, rooms: Rooms) -> None:
    rooms.waiting = [Demand(1)]
    fleet.look()
    rooms.states = {"1": "busy"}
    rooms.waiting = []
    fleet.look()
    place.running.clear()
    rooms.states, rooms.waiting = {}, [Demand(1)]
    fleet.look()
    assert len(place.asked) == 2


def test_no_worker_is_started_for_jobs_that_would_outlast_it(
    fleet: Fleet, place: Place, rooms: Rooms, caplog: pytest.LogCaptureFixture
) -> None:
    rooms.waiting = [Demand(1, {}, 60.0)]
    fleet.look()
    rooms.waiting = [Demand(2, {"memory_gb": 1.0}, 600.0)]
    fleet.look()
    assert len(place.asked) == 1
    assert "its jobs may run 600 s, and workers live only 120 s" in caplog.text


def test_a_server_that_is_away_is_waited_for_and_a_wrong_room_is_not(
    fleet: Fleet, place: Place, rooms: Rooms, caplog: pytest.LogCaptureFixture
) -> None:
    rooms.error = NotFound("There is no such room.")
    with pytest.raises(NotFound):
        fleet.look()
    rooms.error = ServerUnreachable("away")
    fleet.look()
    fleet.look()
    assert caplog.text.count("away") == 1
    rooms.error = None
    rooms.waiting = [Demand(1)]
    assert len(fleet.look()) == 1


def test_the_end_drains_all_or_leaves_them(fleet: Fleet, place: Place, rooms: Rooms, said: list[str]) -> None:
    rooms.waiting = [Demand(2)]
    fleet.look()
    assert said == ["2 of at most 3 workers (2 starting); 2 jobs wait"]
    assert len(fleet.end(leave=True, grace=1)) == 2 and place.stopped == []
    assert fleet.end(leave=False, grace=1) == [] and place.stopped == ["1", "2"]
    assert said[1:] == ["2 workers are left running.", "All workers have ended."]


class Clock:
    """Time that passes only when a test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = time.monotonic()
        monkeypatch.setattr(time, "monotonic", lambda: self.now)


@pytest.mark.parametrize("keeps_idle_exit", [False, True], ids=["as asked", "a template with an idle exit of its own"])
def test_the_minimum_runs_for_hours_without_jobs(
    place: Place, rooms: Rooms, monkeypatch: pytest.MonkeyPatch, said: list[str], keeps_idle_exit: bool
) -> None:
    clock = Clock(monkeypatch)
    fleet = Fleet(rooms, place, minimum=1, maximum=3, every=10, say=said.append)
    idle_since: dict[str, float] = {}
    without = 0
    for _ in range(720):
        fleet.look()
        without += not place.running
        for worker in list(place.running):
            idle_since.setdefault(worker, clock.now)
            stays = worker in place.staying and not keeps_idle_exit
            if not stays and clock.now - idle_since[worker] >= 120:
                del place.running[worker]
        rooms.states = dict.fromkeys(place.running, "idle")
        clock.now += 10
    assert without == 0, "seconds of two hours without a worker"
    assert len(place.asked) == 1 or keeps_idle_exit


def test_only_workers_of_the_minimum_stay(place: Place, rooms: Rooms, said: list[str]) -> None:
    fleet = Fleet(rooms, place, minimum=2, maximum=3, every=0.1, say=said.append)
    rooms.waiting = [Demand(1)]
    fleet.look()
    assert (sorted(place.running), place.staying) == (["1", "2"], {"2"})


def test_jobs_that_were_cancelled_before_their_worker_began_cause_no_pause(
    fleet: Fleet, place: Place, rooms: Rooms
) -> None:
    for number in (1, 2, 3):
        rooms.waiting = [Demand(1)]
        fleet.look()
        rooms.waiting, rooms.states = [], {str(number): "idle"}
        fleet.look()
        place.running.clear()
        rooms.states = {}
        fleet.look()
        assert len(place.asked) == number


def test_a_new_job_ends_a_pause_and_one_worker_is_tried(
    fleet: Fleet, place: Place, rooms: Rooms, caplog: pytest.LogCaptureFixture
) -> None:
    rooms.waiting = [Demand(2)]
    fleet.look()
    place.running.clear()
    fleet.look()
    told = "2 workers ended without a job: job 1, whose log is 1.log; job 2, whose log is 2.log. Next try in 5 s."
    assert told in caplog.text
    rooms.waiting = [Demand(3)]
    fleet.look()
    fleet.look()
    assert len(place.asked) == 3, "one worker shows whether the cause has gone"
    rooms.states = {"3": "busy"}
    fleet.look()
    assert len(place.asked) == 5


def test_workers_that_are_idle_beside_jobs_that_they_do_not_take_are_not_started_without_end(
    fleet: Fleet, place: Place, rooms: Rooms
) -> None:
    rooms.waiting = [Demand(1)]
    fleet.look()
    rooms.states = {"1": "idle"}
    fleet.look()
    place.running.clear()
    fleet.look()
    assert len(place.asked) == 1


def test_the_time_limit_is_known_also_when_no_worker_is_left(fleet: Fleet, place: Place, rooms: Rooms) -> None:
    rooms.waiting = [Demand(1, {}, 60.0)]
    fleet.look()
    rooms.states, rooms.waiting = {"1": "busy"}, []
    fleet.look()
    place.running.clear()
    rooms.waiting = [Demand(1, {}, 600.0)]
    for _ in range(3):
        fleet.look()
    assert len(place.asked) == 1


def test_a_fleet_that_was_started_again_sends_no_second_signal_to_workers_that_drain(
    fleet: Fleet, place: Place, rooms: Rooms
) -> None:
    place.running = {one: StartedWorker(one, {}) for one in ("1", "2")}
    rooms.states = {"1": "draining", "2": "busy"}
    fleet.end(leave=False, grace=0)
    assert place.stopped == ["2"]
