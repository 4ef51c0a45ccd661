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
        self._numbers = count(1)

    def start(self, resources: Resources) -> str:
        self.asked.append(dict(resources))
        if "gpus" in resources:
            raise BackendError("sbatch failed: no GPU here.")
        number = str(next(self._numbers))
        self.running[number] = StartedWorker(number, resources, time_limit=120.0)
        return number

    def workers(self) -> list[StartedWorker]:
        return list(self.running.values())

    def stop(self, worker: StartedWorker) -> None:
        self.stopped.append(worker.id)
        del self.running[worker.id]

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
