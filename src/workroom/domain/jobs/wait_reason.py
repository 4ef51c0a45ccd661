"""Why a job is not running yet, and its estimated start."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from workroom.domain.jobs.states import State


class WaitingFor(StrEnum):
    """The one reason that is shown to the user."""

    NOTHING = "nothing"
    NO_WORKER = "no_worker"  # no worker that offers the extension is online
    ALL_BUSY = "all_busy"  # every such worker has other jobs first
    PAUSED = "paused"  # the posting or the extension is paused
    BREAKER_OPEN = "breaker_open"  # every worker online keeps failing it
    BACKING_OFF = "backing_off"  # its next try or its scheduled start is in the future
    DEPENDENCIES = "dependencies"  # jobs or postings that it depends on have not ended


@dataclass(frozen=True, slots=True)
class QueueFacts:
    """The facts about one job and its extension that decide the reason."""

    state: State
    paused: bool  # its posting or its extension
    start_is_later: bool  # its start time or the end of its back-off is in the future
    workers: int  # online and offering the extension
    workers_closed: int  # of these, with an open breaker


def waiting_for(facts: QueueFacts) -> WaitingFor:
    """The reason why a job waits. If several apply, it is the one that lasts longest."""
    if facts.state is State.BLOCKED:
        return WaitingFor.DEPENDENCIES
    if facts.state is not State.PENDING:
        return WaitingFor.NOTHING
    if facts.paused:
        return WaitingFor.PAUSED
    if facts.start_is_later:
        return WaitingFor.BACKING_OFF
    if facts.workers == 0:
        return WaitingFor.NO_WORKER
    if facts.workers == facts.workers_closed:
        return WaitingFor.BREAKER_OPEN
    return WaitingFor.ALL_BUSY


def wait_text(reason: WaitingFor, function: str) -> str:
    """What a posting of a function waits for, as a sentence with the fix where there is one."""
    return {
        WaitingFor.NOTHING: "nothing",
        WaitingFor.NO_WORKER: f"no worker offers {function}: `workroom pool --import MODULE` or `workroom worker` does",
        WaitingFor.ALL_BUSY: f"all workers that offer {function} have other jobs first",
        WaitingFor.PAUSED: "it is paused: `workroom postings resume`",
        WaitingFor.BREAKER_OPEN: f"every worker that offers {function} keeps failing; each tries again soon",
        WaitingFor.BACKING_OFF: "its next try or its start is in the future",
        WaitingFor.DEPENDENCIES: "jobs or postings that it depends on have not ended",
    }[reason]


def eta_seconds(ahead: int, slots: int, mean_run_seconds: float | None) -> float | None:
    """Seconds until a job with `ahead` others before it may start; None if there is no data to estimate from."""
    if slots <= 0 or mean_run_seconds is None:
        return None
    rounds = ahead // slots + 1
    return rounds * mean_run_seconds
