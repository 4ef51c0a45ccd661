"""What happens to a job whose worker is lost."""

from __future__ import annotations

from enum import StrEnum

from workroom.domain.jobs.states import State, Verb

# A job that was running on this many lost workers is not requeued: it may be what kills them.
MAX_LOSSES = 3

# Kinds of workers by where their heartbeats arrive. Only a process that receives them may declare the worker lost.
HEARD_BY_SERVER = ("remote",)
HEARD_BY_DATABASE = ("pool", "celery")


class OnWorkerLost(StrEnum):
    """A job's policy for the loss of its worker."""

    FAIL = "fail"  # the job fails and is not retried
    REQUEUE = "requeue"  # the job returns to its place in the queue, up to MAX_LOSSES lost workers
    REQUEUE_UNSTARTED = "requeue_unstarted"  # it returns if the worker had not started it, else it fails


def verb_after_loss(state: State, policy: OnWorkerLost, losses: int, *, cancelling: bool) -> Verb:
    """The verb to apply to a job whose worker is lost. `losses` counts earlier losses."""
    if cancelling:
        return Verb.CANCEL
    if policy is OnWorkerLost.FAIL:
        return Verb.LOSE
    if state is State.ASSIGNED:
        return Verb.RELEASE
    if policy is OnWorkerLost.REQUEUE and losses + 1 < MAX_LOSSES:
        return Verb.RELEASE
    return Verb.LOSE
