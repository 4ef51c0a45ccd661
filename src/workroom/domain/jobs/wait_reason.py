"""Why a job is not running yet, and its estimated start."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple

from workroom.domain.jobs.resources import Resources, resources_text
from workroom.domain.jobs.states import State


class WaitingFor(StrEnum):
    """The one reason that is shown to the user."""

    NOTHING = "nothing"
    NO_WORKER = "no_worker"  # no worker that offers the extension is online
    NO_RESOURCES = "no_resources"  # no worker online offers the resources that the extension asks for
    NO_TIME = "no_time"  # every worker online ends before the job's time-out
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
    workers_equipped: int  # of these, offering the resources that the extension asks for
    workers_lasting: int  # of the equipped ones, that end after the time-out of a job started now
    name: str = ""  # of the extension
    resources: Resources = field(default_factory=dict[str, float])  # that the extension asks for
    timeout_seconds: float | None = None  # of the extension
    is_function: bool = True  # which postings call
    offline_since: datetime | None = None  # the extension
    offered_by: str | None = None  # the user of its last worker, while it is offline


class WaitReason(NamedTuple):
    """The reason and the same as a sentence."""

    waiting_for: WaitingFor
    text: str


FOR_NOTHING = WaitReason(WaitingFor.NOTHING, "")


def wait_reason(facts: QueueFacts) -> WaitReason:
    reason = waiting_for(facts)
    return FOR_NOTHING if reason is WaitingFor.NOTHING else WaitReason(reason, _text(reason, facts))


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
    if facts.resources and facts.workers_equipped == 0:
        return WaitingFor.NO_RESOURCES
    if facts.workers == 0:
        return WaitingFor.NO_WORKER
    if facts.workers_lasting == 0:
        return WaitingFor.NO_TIME
    if facts.workers == facts.workers_closed:
        return WaitingFor.BREAKER_OPEN
    return WaitingFor.ALL_BUSY


def _text(reason: WaitingFor, facts: QueueFacts) -> str:
    """A sentence with the fix where there is one."""
    name, needs = facts.name, resources_text(facts.resources)
    offered = f"{name} with {needs}" if needs else name
    return {
        WaitingFor.NO_WORKER: _no_worker(facts),
        WaitingFor.NO_RESOURCES: f"no worker offers {needs}",
        WaitingFor.NO_TIME: f"no worker has enough time left: {name} may run {facts.timeout_seconds or 0:g} s",
        WaitingFor.ALL_BUSY: f"all workers that offer {offered} have other jobs first",
        WaitingFor.PAUSED: "it is paused (`workroom postings resume`), or its queue is (`workroom admin resume`)",
        WaitingFor.BREAKER_OPEN: f"every worker that offers {name} keeps failing; each tries again soon",
        WaitingFor.BACKING_OFF: "its next try or its start is in the future",
        WaitingFor.DEPENDENCIES: "jobs or postings that it depends on have not ended",
    }[reason]


def _no_worker(facts: QueueFacts) -> str:
    if facts.is_function:
        return f"no worker offers {facts.name}: `workroom pool --import MODULE` or `workroom worker` does"
    if facts.offline_since is None:
        return f"no worker offers {facts.name}: `workroom worker` does"
    by = f" by {facts.offered_by}" if facts.offered_by else ""
    since = facts.offline_since.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"{facts.name} is offline: last offered{by}, until {since}. It runs when a worker offers it again"


def eta_seconds(ahead: int, slots: int, mean_run_seconds: float | None) -> float | None:
    """Seconds until a job with `ahead` others before it may start; None if there is no data to estimate from."""
    if slots <= 0 or mean_run_seconds is None:
        return None
    rounds = ahead // slots + 1
    return rounds * mean_run_seconds
