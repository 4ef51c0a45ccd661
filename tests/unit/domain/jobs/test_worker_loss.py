"""What becomes of a job whose worker is lost: the table of `jobs.md`, line by line."""

from __future__ import annotations

import pytest

from workroom.domain.jobs.states import ACTIVE, TRANSITIONS, State, Verb
from workroom.domain.jobs.worker_loss import MAX_LOSSES, OnWorkerLost, verb_after_loss

FAIL, REQUEUE, UNSTARTED = OnWorkerLost.FAIL, OnWorkerLost.REQUEUE, OnWorkerLost.REQUEUE_UNSTARTED


@pytest.mark.parametrize(
    ("state", "policy", "losses", "verb"),
    [
        (State.ASSIGNED, FAIL, 0, Verb.LOSE),
        (State.RUNNING, FAIL, 0, Verb.LOSE),
        (State.ASSIGNED, REQUEUE, 0, Verb.RELEASE),
        (State.ASSIGNED, REQUEUE, MAX_LOSSES - 1, Verb.RELEASE),
        (State.RUNNING, REQUEUE, 0, Verb.RELEASE),
        (State.RUNNING, REQUEUE, MAX_LOSSES - 2, Verb.RELEASE),
        (State.RUNNING, REQUEUE, MAX_LOSSES - 1, Verb.LOSE),
        (State.ASSIGNED, UNSTARTED, 0, Verb.RELEASE),
        (State.RUNNING, UNSTARTED, 0, Verb.LOSE),
    ],
)
def test_the_policy_decides_what_a_lost_worker_means(
    state: State, policy: OnWorkerLost, losses: int, verb: Verb
) -> None:
    assert verb_after_loss(state, policy, losses, cancelling=False) is verb


@pytest.mark.parametrize("policy", [*OnWorkerLost])
@pytest.mark.parametrize("state", sorted(ACTIVE))
def test_a_job_lost_while_it_was_being_cancelled_is_cancelled(state: State, policy: OnWorkerLost) -> None:
    assert verb_after_loss(state, policy, 0, cancelling=True) is Verb.CANCEL


@pytest.mark.parametrize("losses", range(MAX_LOSSES))
@pytest.mark.parametrize("policy", [*OnWorkerLost])
@pytest.mark.parametrize("state", sorted(ACTIVE))
def test_whatever_the_policy_says_can_be_done(state: State, policy: OnWorkerLost, losses: int) -> None:
    for cancelling in (False, True):
        assert (state, verb_after_loss(state, policy, losses, cancelling=cancelling)) in TRANSITIONS


def test_a_job_that_kills_its_workers_costs_no_more_than_three() -> None:
    losses = 0
    while verb_after_loss(State.RUNNING, REQUEUE, losses, cancelling=False) is Verb.RELEASE:
        losses += 1
    assert losses + 1 == MAX_LOSSES == 3
