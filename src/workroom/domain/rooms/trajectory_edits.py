"""List operations on a trajectory, and the ranges of frames that they cut.

Indices behave as in a Python list: negative ones count from the end, slices are clipped to the length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from workroom.domain.errors import NoSuchFrame, SizeMismatch


@dataclass(frozen=True, slots=True)
class Places:
    """Frames selected by indices, in this order."""

    indices: Sequence[int]

    def positions(self, length: int) -> Sequence[int]:
        if self.indices and min(self.indices) >= 0 and max(self.indices) < length:
            return self.indices  # as they are: a list of a million indices is not walked through in Python
        return [position_of(index, length) for index in self.indices]


@dataclass(frozen=True, slots=True)
class Span:
    """Frames selected by a slice."""

    start: int | None = None
    stop: int | None = None
    step: int | None = None

    def positions(self, length: int) -> range:
        return range(*slice(self.start, self.stop, self.step).indices(length))


Where = Places | Span


@dataclass(frozen=True, slots=True)
class Extend:
    """Append frames."""


@dataclass(frozen=True, slots=True)
class Insert:
    """Insert frames before an index. As with a list, an index out of range means the nearest end."""

    index: int


@dataclass(frozen=True, slots=True)
class Replace:
    """Replace frames. A contiguous slice may be replaced by more or fewer frames."""

    where: Where


@dataclass(frozen=True, slots=True)
class Delete:
    where: Where


Edit = Extend | Insert | Replace | Delete


class Cut(NamedTuple):
    """One contiguous range of a trajectory that an edit replaces."""

    start: int
    removed: int  # number of frames removed at `start`
    added: tuple[int, ...]  # numbers of the new frames inserted at `start`


def position_of(index: int, length: int) -> int:
    position = index + length if index < 0 else index
    if not 0 <= position < length:
        has = f"0 to {length - 1}, or -{length} to -1" if length else "none: it is empty"
        raise NoSuchFrame(f"There is no frame {index}: the trajectory has {has}.", index=index, length=length)
    return position


def cuts(edit: Edit, length: int, count: int) -> list[Cut]:
    """The cuts of an edit with `count` new frames on a trajectory of this length, to be applied in order."""
    match edit:
        case Extend():
            return [Cut(length, 0, tuple(range(count)))] if count else []
        case Insert(index):
            start = max(0, index + length) if index < 0 else min(index, length)
            return [Cut(start, 0, tuple(range(count)))] if count else []
        case Delete(where):
            return _cuts_to_remove(where.positions(length))
        case Replace(Span(start, stop, step)) if step in (None, 1):
            start, stop, _ = slice(start, stop).indices(length)
            removed = max(0, stop - start)
            return [Cut(start, removed, tuple(range(count)))] if removed or count else []
        case Replace(where):
            return _cuts_to_replace(where.positions(length), count)


def _cuts_to_remove(positions: Sequence[int]) -> list[Cut]:
    """Contiguous runs from the last to the first, so that each cut leaves the positions of the following ones valid."""
    found: list[Cut] = []
    for position in sorted(set(positions), reverse=True):
        if found and found[-1].start == position + 1:
            found[-1] = Cut(position, found[-1].removed + 1, ())
        else:
            found.append(Cut(position, 1, ()))
    return found


def _cuts_to_replace(positions: Sequence[int], count: int) -> list[Cut]:
    if len(positions) != count:
        raise SizeMismatch(
            f"There are {count} frames for {len(positions)} indices.", frames=count, places=len(positions)
        )
    # If an index occurs several times, the last frame wins, as in a loop of assignments.
    replacements = sorted({position: number for number, position in enumerate(positions)}.items())
    found: list[Cut] = []
    run: list[int] = []  # the numbers of the new frames of a contiguous range
    for index, (position, number) in enumerate(replacements):
        run.append(number)
        if index + 1 == len(replacements) or replacements[index + 1][0] != position + 1:
            found.append(Cut(position + 1 - len(run), len(run), tuple(run)))
            run = []
    return found
