"""Whose job comes next.

Within one extension jobs go by priority; within a priority by *turn*; within a turn by age. A turn is handed
out when a job is submitted and has to wait: a person's next job takes the turn after their last one, but never one
that has already gone by. So somebody with ten jobs is not kept waiting by somebody with ten thousand: both take
every other turn. A released job keeps its turn, which is its original place in the queue; one that did not have to
wait has turn 0, before all others, because nobody waited when it came.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

LOWEST_PRIORITY, DEFAULT_PRIORITY, HIGHEST_PRIORITY = 0, 5, 10


def next_turn(current: int, last: int | None) -> int:
    """The turn of a person's next job, when `current` is being served and `last` was the person's last one."""
    return current if last is None else max(current, last + 1)


class Place(NamedTuple):
    """A job's place in its queue; smaller comes first."""

    urgency: int  # minus the priority
    turn: int
    age: object  # anything that orders by time of submission

    @classmethod
    def of(cls, priority: int, turn: int, age: object) -> Place:
        return cls(-priority, turn, age)


Key = TypeVar("Key")


def next_extension(waiting: Iterable[tuple[Key, int, float]]) -> Key | None:
    """Which of a worker's extensions is served next, given (extension, highest waiting priority, last served).

    The one served longest ago among those with the highest waiting priority: no extension starves.
    """
    best = min(waiting, key=lambda offer: (-offer[1], offer[2]), default=None)
    return None if best is None else best[0]
