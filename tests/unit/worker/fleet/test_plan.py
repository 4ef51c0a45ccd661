"""Which workers a fleet starts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workroom.worker.fleet.plan import Demand, Member, grouped, missing

GPU = {"gpus": 1.0}


def _started(
    demands: list[Demand], members: list[Member], minimum: int = 0, maximum: int = 10
) -> list[dict[str, float]]:
    return [dict(one.resources) for one in missing(demands, members, minimum=minimum, maximum=maximum)]


def test_every_waiting_job_gets_a_worker_up_to_the_maximum() -> None:
    assert _started([Demand(3)], []) == [{}, {}, {}]
    assert _started([Demand(30)], [], maximum=2) == [{}, {}]
    assert _started([], []) == []


def test_workers_that_start_or_are_idle_count_and_busy_ones_do_not() -> None:
    members = [Member("1", {}, "starting"), Member("2", {}, "idle"), Member("3", {}, "busy"), Member("4", {}, "ending")]
    assert _started([Demand(3)], members) == [{}]
    assert _started([Demand(9)], members, maximum=5) == [{}]


def test_a_worker_without_a_gpu_does_not_count_for_a_job_that_needs_one() -> None:
    assert _started([Demand(1, GPU)], [Member("1", {}, "idle")]) == [GPU]
    # One with a GPU is left to the job that needs it.
    assert _started([Demand(1), Demand(1, GPU)], [Member("1", GPU, "idle")]) == [{}]


def test_a_minimum_of_workers_runs_without_jobs() -> None:
    assert _started([], [], minimum=2) == [{}, {}]
    assert _started([], [Member("1", {}, "busy"), Member("2", {}, "ending")], minimum=2) == [{}]
    assert _started([Demand(2)], [], minimum=2) == [{}, {}]


def test_demands_with_the_same_resources_are_one() -> None:
    one, other = grouped([Demand(1, {}, 5.0), Demand(2, GPU), Demand(3, {}, 60.0)])
    assert (dict(one.resources), one.waiting) == (GPU, 2)
    assert (other.waiting, other.timeout) == (4, 60.0)


_resources = st.sampled_from([{}, GPU, {"gpus": 2.0}, {"memory_gb": 4.0}])
_members = st.builds(Member, st.uuids().map(str), _resources, st.sampled_from(["starting", "idle", "busy", "ending"]))


@given(
    st.lists(st.builds(Demand, st.integers(0, 20), _resources), max_size=5),
    st.lists(_members, max_size=12),
    st.integers(0, 5),
    st.integers(5, 10),
)
def test_a_fleet_never_exceeds_its_maximum(
    demands: list[Demand], members: list[Member], minimum: int, maximum: int
) -> None:
    started = missing(demands, members, minimum=minimum, maximum=maximum)
    assert len(started) <= max(0, maximum - len(members))
    assert len(started) <= max(sum(one.waiting for one in demands), minimum)
