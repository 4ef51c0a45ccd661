"""Why a job waits, and how long it may."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.domain.jobs.states import State
from workroom.domain.jobs.wait_reason import QueueFacts, WaitingFor, eta_seconds, wait_reason, waiting_for

PENDING = QueueFacts(
    State.PENDING,
    paused=False,
    start_is_later=False,
    workers=2,
    workers_closed=0,
    workers_equipped=2,
    workers_lasting=2,
    name="Relax",
    timeout_seconds=90.0,
)
ON_A_GPU = replace(PENDING, resources={"gpus": 1, "memory_gb": 1.5})


@pytest.mark.parametrize(
    ("outlook", "reason"),
    [
        (replace(PENDING, state=State.BLOCKED, paused=True, workers=0), WaitingFor.DEPENDENCIES),
        (replace(PENDING, paused=True, start_is_later=True, workers=0), WaitingFor.PAUSED),
        (replace(PENDING, start_is_later=True, workers=0), WaitingFor.BACKING_OFF),
        (replace(PENDING, workers=0), WaitingFor.NO_WORKER),
        (replace(ON_A_GPU, workers=0, workers_equipped=0, workers_lasting=0), WaitingFor.NO_RESOURCES),
        (replace(ON_A_GPU, workers_equipped=0, workers_lasting=0), WaitingFor.NO_RESOURCES),
        (replace(ON_A_GPU, workers_equipped=1, workers_lasting=0), WaitingFor.NO_TIME),
        (replace(PENDING, workers_lasting=0), WaitingFor.NO_TIME),
        (replace(PENDING, workers_closed=2), WaitingFor.BREAKER_OPEN),
        (replace(PENDING, workers_closed=1), WaitingFor.ALL_BUSY),
        (PENDING, WaitingFor.ALL_BUSY),
    ],
)
def test_the_most_lasting_reason_is_the_one_told(outlook: QueueFacts, reason: WaitingFor) -> None:
    assert waiting_for(outlook) is reason


@pytest.mark.parametrize("state", [s for s in State if s not in (State.BLOCKED, State.PENDING)])
def test_a_job_that_does_not_wait_waits_for_nothing(state: State) -> None:
    assert waiting_for(replace(PENDING, state=state, paused=True)) is WaitingFor.NOTHING


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        (replace(ON_A_GPU, workers_equipped=0), "no worker offers gpus=1, memory_gb=1.5"),
        (replace(PENDING, workers_lasting=0), "no worker has enough time left: Relax may run 90 s"),
        (PENDING, "all workers that offer Relax have other jobs first"),
        (ON_A_GPU, "all workers that offer Relax with gpus=1, memory_gb=1.5 have other jobs first"),
    ],
)
def test_the_reason_names_what_is_missing(facts: QueueFacts, text: str) -> None:
    assert wait_reason(facts).text == text


def test_every_reason_can_be_told() -> None:
    assert {reason.value for reason in WaitingFor} == {
        "nothing",
        "no_worker",
        "no_resources",
        "no_time",
        "all_busy",
        "paused",
        "breaker_open",
        "backing_off",
        "dependencies",
    }


@pytest.mark.parametrize(
    ("ahead", "slots", "eta"), [(0, 1, 2.0), (1, 1, 4.0), (0, 4, 2.0), (3, 4, 2.0), (4, 4, 4.0), (9, 4, 6.0)]
)
def test_a_job_starts_after_the_rounds_before_it(ahead: int, slots: int, eta: float) -> None:
    assert eta_seconds(ahead, slots, 2.0) == eta


def test_nothing_is_promised_without_workers_or_experience() -> None:
    assert eta_seconds(3, 0, 2.0) is None
    assert eta_seconds(3, 2, None) is None


@given(st.integers(0, 10**6), st.integers(1, 1000), st.floats(0, 1e6))
def test_more_jobs_ahead_never_make_it_sooner_and_more_slots_never_later(ahead: int, slots: int, mean: float) -> None:
    here, behind, helped = (
        eta_seconds(ahead, slots, mean),
        eta_seconds(ahead + 1, slots, mean),
        eta_seconds(ahead, slots + 1, mean),
    )
    assert here is not None and behind is not None and helped is not None
    assert helped <= here <= behind
