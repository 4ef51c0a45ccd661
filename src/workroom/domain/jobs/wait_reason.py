"""Why a job is not running yet, and how long it may take."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workroom.domain.jobs.states import State


class WaitingFor(StrEnum):
    """The one reason shown to the person who waits."""

    NOTHING = "nothing"
    NO_WORKER = "no_worker"  # nobody who offers the extension is online
    ALL_BUSY = "all_busy"  # somebody is, and has other jobs first
    PAUSED = "paused"  # the posting or the extension is paused
    BREAKER_OPEN = "breaker_open"  # every worker online keeps failing it
    BACKING_OFF = "backing_off"  # its next try, or its scheduled start, is still to come
    DEPENDENCIES = "dependencies"  # other jobs come first


@dataclass(frozen=True, slots=True)
class QueueFacts:
    """What decides the reason: facts about one job and its extension."""

    state: State
    paused: bool  # its posting or its extension
    start_is_later: bool  # a start time or a back-off that has not come
    workers: int  # online and offering the extension
    workers_closed: int  # of these, with an open breaker


def waiting_for(outlook: QueueFacts) -> WaitingFor:
    """The reason, the most lasting one first."""
    if outlook.state is State.BLOCKED:
        return WaitingFor.DEPENDENCIES
    if outlook.state is not State.PENDING:
        return WaitingFor.NOTHING
    if outlook.paused:
        return WaitingFor.PAUSED
    if outlook.start_is_later:
        return WaitingFor.BACKING_OFF
    if outlook.workers == 0:
        return WaitingFor.NO_WORKER
    if outlook.workers == outlook.workers_closed:
        return WaitingFor.BREAKER_OPEN
    return WaitingFor.ALL_BUSY


def eta_seconds(ahead: int, slots: int, mean_run_seconds: float | None) -> float | None:
    """When a job with `ahead` others before it may start; None when nothing is known to go by."""
    if slots <= 0 or mean_run_seconds is None:
        return None
    rounds = ahead // slots + 1
    return rounds * mean_run_seconds
