"""What a fleet remembers about one set of resources: which of its starts were in vain, and how long it waits then."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from workroom.worker.fleet.plan import Member

_SHORTEST_PAUSE = 5.0
_LONGEST_PAUSE = 600.0


@dataclass(slots=True)
class Group:
    """The workers that were started for one set of resources.

    A worker was of use when it had a job, or was ready while none waited. One that ended before it was ready was in
    vain, and so was one that got no job although some waited all the time: the next start then waits.
    """

    failures: int = 0  # starts in a row that were refused or in vain
    not_before: float = 0.0  # by time.monotonic
    logged_reason: str = ""
    waiting: int = 0  # jobs, at the last look
    starts_one: bool = False  # the last ones were in vain: one worker is tried before others are started
    started: dict[str, bool] = field(default_factory=dict[str, bool])  # those that run: whether each was of use

    def may_start(self) -> bool:
        return time.monotonic() >= self.not_before and not (self.starts_one and self.started)

    def pause(self) -> float:
        seconds = min(_SHORTEST_PAUSE * 2**self.failures, _LONGEST_PAUSE)
        self.failures += 1
        self.not_before = time.monotonic() + seconds
        return seconds

    def mark_of_use(self, worker: str) -> None:
        if worker in self.started:
            self.started[worker] = True
            self.failures, self.logged_reason, self.starts_one = 0, "", False

    def learn(self, members: Iterable[Member], waiting: int) -> list[str]:
        """The workers that have ended in vain, if now none is left. More waiting jobs than before end a pause."""
        states = {member.id: member.state for member in members}
        for worker in self.started:
            if states.get(worker) == "busy" or (states.get(worker) == "idle" and not waiting):
                self.mark_of_use(worker)
        if waiting > self.waiting:
            self.not_before = 0.0
        self.waiting = waiting
        ended = {worker: was_of_use for worker, was_of_use in self.started.items() if worker not in states}
        for worker in ended:
            del self.started[worker]
        in_vain = list(ended) if not any(ended.values()) and not self.started else []
        self.starts_one = self.starts_one or bool(in_vain)
        return in_vain
