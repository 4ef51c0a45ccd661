"""What can be done to a trajectory, and where that cuts it.

Indices are as those of a Python list: negative ones count from the end, slices end where the list does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from workroom.domain.errors import NoSuchFrame, SizeMismatch


@dataclass(frozen=True, slots=True)
class Places:
    """Frames by their indices, in this order."""

    indices: Sequence[int]

    def positions(self, length: int) -> list[int]:
        return [position_of(index, length) for index in self.indices]


@dataclass(frozen=True, slots=True)
class Span:
    """Frames by a slice."""

    start: int | None = None
    stop: int | None = None
    step: int | None = None

    def positions(self, length: int) -> range:
        return range(*slice(self.start, self.stop, self.step).indices(length))


Where = Places | Span


@dataclass(frozen=True, slots=True)
class Extend:
    """Put frames at the end."""


@dataclass(frozen=True, slots=True)
class Insert:
    """Put frames before one; as with a list, an index beyond the ends means the end."""

    index: int


@dataclass(frozen=True, slots=True)
class Replace:
    """Put frames in the place of others. In the place of a plain slice there may be more or fewer."""

    where: Where


@dataclass(frozen=True, slots=True)
class Delete:
    where: Where


Edit = Extend | Insert | Replace | Delete


class Cut(NamedTuple):
    """One place where an edit cuts the trajectory."""

    start: int
    removed: int  # how many frames are taken out there
    added: tuple[int, ...]  # which of the new frames are put in, by their number


def position_of(index: int, length: int) -> int:
    position = index + length if index < 0 else index
    if not 0 <= position < length:
        has = f"0 to {length - 1}, or -{length} to -1" if length else "none: it is empty"
        raise NoSuchFrame(f"There is no frame {index}: the trajectory has {has}.", index=index, length=length)
    return position


def cuts(edit: Edit, length: int, count: int) -> list[Cut]:
    """Where an edit with so many new frames cuts a trajectory of this length; to be made one after the other."""
    match edit:
        case Extend():
            return [Cut(length, 0, tuple(range(count)))] if count else []
        case Insert(index):
            start = max(0, index + length) if index < 0 else min(index, length)
            return [Cut(start, 0, tuple(range(count)))] if count else []
        case Delete(where):
            return _removing(where.positions(length))
        case Replace(Span(start, stop, step)) if step in (None, 1):
            start, stop, _ = slice(start, stop).indices(length)
            removed = max(0, stop - start)
            return [Cut(start, removed, tuple(range(count)))] if removed or count else []
        case Replace(where):
            return _replacing(where.positions(length), count)


def _removing(positions: Sequence[int]) -> list[Cut]:
    """Runs of positions, from the last to the first: each is where it was before any was taken out."""
    found: list[Cut] = []
    for position in sorted(set(positions), reverse=True):
        if found and found[-1].start == position + 1:
            found[-1] = Cut(position, found[-1].removed + 1, ())
        else:
            found.append(Cut(position, 1, ()))
    return found


def _replacing(positions: Sequence[int], count: int) -> list[Cut]:
    if len(positions) != count:
        raise SizeMismatch(
            f"There are {count} frames for {len(positions)} places.", frames=count, places=len(positions)
        )
    # Of several frames for one place the last one stays, as in a loop of assignments.
    wanted = sorted({position: number for number, position in enumerate(positions)}.items())
    found: list[Cut] = []
    for position, number in wanted:
        if found and found[-1].start + found[-1].removed == position:
            found[-1] = Cut(found[-1].start, found[-1].removed + 1, (*found[-1].added, number))
        else:
            found.append(Cut(position, 1, (number,)))
    return found
