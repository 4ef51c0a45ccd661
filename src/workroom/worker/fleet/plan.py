"""Which workers a fleet has to start: pure functions of what waits and of the workers it has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from workroom.domain.jobs.resources import Resources, covers, resource_words

GroupKey = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Demand:
    """Waiting jobs of extensions that ask for the same resources."""

    waiting: int
    resources: Resources = field(default_factory=dict[str, float])
    timeout: float | None = None  # the longest among them, in seconds

    @property
    def key(self) -> GroupKey:
        return group_key(self.resources)


@dataclass(frozen=True, slots=True)
class Member:
    """A worker of the fleet."""

    id: str  # of the process or of the job of SLURM
    resources: Resources
    state: str  # starting, idle, busy or ending
    time_limit: float | None = None  # seconds that it may live in all


def group_key(resources: Resources) -> GroupKey:
    return tuple(resource_words(resources))


def grouped(demands: Iterable[Demand]) -> list[Demand]:
    """One demand for each set of resources, the one that asks for most first: fewer workers can take it."""
    groups: dict[GroupKey, Demand] = {}
    for one in demands:
        known = groups.get(one.key, Demand(0, one.resources))
        timeout = max((known.timeout or 0.0, one.timeout or 0.0)) or None
        groups[one.key] = Demand(known.waiting + one.waiting, one.resources, timeout)
    return sorted(groups.values(), key=lambda one: (-len(one.resources), one.key))


def missing(demands: Sequence[Demand], members: Sequence[Member], *, minimum: int, maximum: int) -> list[Demand]:
    """The demands to start one worker for each, so that every waiting job gets one, up to `maximum` workers in all.

    A worker that starts or is idle counts for one waiting job that its resources cover.
    """
    free = [member for member in members if member.state in ("starting", "idle")]
    room = maximum - len(members)
    wanted: list[Demand] = []
    for one in grouped(demands):
        able = [member for member in free if covers(member.resources, one.resources)]
        taken = able[: one.waiting]
        free = [member for member in free if member not in taken]
        wanted += [one] * (one.waiting - len(taken))
    start = wanted[: max(room, 0)]
    alive = len([member for member in members if member.state != "ending"])
    # A fleet that may have none starts none without a job; otherwise workers are ready before the first job.
    idle = Demand(0)
    return start + [idle] * min(minimum - alive - len(start), room - len(start))
