"""The order of the queue: fair between users.

Jobs of one extension are ordered by priority, then by *turn*, then by age. A job gets its turn at submission if it has
to wait: the turn after the user's last one, but never one that was already served. A user with ten jobs therefore
alternates with a user with ten thousand. A released job keeps its turn, which is its original place in the queue. A job
that is assigned at submission has turn 0, before all others, because the queue was empty.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

LOWEST_PRIORITY, DEFAULT_PRIORITY, HIGHEST_PRIORITY = 0, 5, 10


def next_turn(current: int, last: int | None) -> int:
    """The turn of a user's next job, when `current` is being served and `last` was the user's last turn."""
    return current if last is None else max(current, last + 1)


class Place(NamedTuple):
    """A job's position in its queue; the smallest is assigned first."""

    urgency: int  # minus the priority
    turn: int
    age: object  # anything that orders by time of submission

    @classmethod
    def of(cls, priority: int, turn: int, age: object) -> Place:
        return cls(-priority, turn, age)


Key = TypeVar("Key")


def next_extension(waiting: Iterable[tuple[Key, int, float]]) -> Key | None:
    """The extension of a worker that is served next, given (extension, highest waiting priority, last served).

    Among the extensions with the highest waiting priority it is the one served longest ago, so that none starves.
    """
    best = min(waiting, key=lambda offer: (-offer[1], offer[2]), default=None)
    return None if best is None else best[0]
