"""What becomes of a job whose worker is lost."""

from __future__ import annotations

from enum import StrEnum

from workroom.domain.jobs.states import State, Verb

# A job that has cost this many workers is not given to another one.
MAX_LOSSES = 3


class OnWorkerLost(StrEnum):
    """A job's policy for the loss of its worker."""

    FAIL = "fail"  # failed, never retried by itself
    REQUEUE = "requeue"  # back to its place in the queue, until it has cost MAX_LOSSES workers
    REQUEUE_UNSTARTED = "requeue_unstarted"  # back if the worker had not confirmed it, else failed


def verb_after_loss(state: State, policy: OnWorkerLost, losses: int, *, cancelling: bool) -> Verb:
    """The verb that a lost worker means for its job; `losses` are those before this one."""
    if cancelling:
        return Verb.CANCEL
    if policy is OnWorkerLost.FAIL:
        return Verb.LOSE
    if state is State.ASSIGNED:
        return Verb.RELEASE
    if policy is OnWorkerLost.REQUEUE and losses + 1 < MAX_LOSSES:
        return Verb.RELEASE
    return Verb.LOSE
