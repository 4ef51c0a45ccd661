"""Undo of trajectory changes, also of old ones.

A splice removes frames at one position and inserts others. A change is a list of splices, applied in order. To undo an
old change, its inverse is moved past all later changes (operational transformation):

    before ── change ── later            before ── change ── inverse ── later'
                          └── inverse'                                    └── the same trajectory

Two successive splices can be exchanged if they touch different frames; otherwise they overlap and the undo is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from workroom.domain.errors import ChangeExpired, UndoConflict

Frame = int
_MOST_EXCHANGES = 2_000_000  # in one undo


@dataclass(frozen=True, slots=True)
class Splice:
    """The frames `removed` were removed at `start`, and the frames `added` inserted there."""

    start: int
    removed: tuple[Frame, ...] = ()
    added: tuple[Frame, ...] = ()

    @property
    def end(self) -> int:
        """The position after the removed frames."""
        return self.start + len(self.removed)

    @property
    def growth(self) -> int:
        return len(self.added) - len(self.removed)

    @property
    def inverse(self) -> Splice:
        return Splice(self.start, self.added, self.removed)

    def moved(self, by: int) -> Splice:
        return replace(self, start=self.start + by) if by else self


def apply(frames: list[Frame], splices: Sequence[Splice], *, offset: int = 0) -> None:
    """Apply splices to a list whose first item is at the position `offset`."""
    for run in runs(splices):
        frames[:] = _applied(frames, run, offset)


def runs(splices: Sequence[Splice]) -> Iterator[list[Splice]]:
    """Successive splices that touch different frames, in the order of their positions before the first of them.

    The splices of one change go from the end to the start, those of its undo from the start to the end. As one run they
    take one pass over the frames; one by one each would move all the frames behind it.
    """
    run: list[Splice] = []
    upwards: bool | None = None  # None: the run has one splice
    grown = 0
    for index, splice in enumerate(splices):
        last = splices[index - 1]
        if run and upwards is not False and splice.start >= last.start + len(last.added):
            upwards = True
            run.append(splice.moved(-grown))
        elif run and upwards is not True and splice.end <= last.start:
            upwards = False
            run.append(splice)
        else:
            if run:
                yield run if upwards is not False else run[::-1]
            run, upwards, grown = [splice], None, 0
        grown += splice.growth
    if run:
        yield run if upwards is not False else run[::-1]


def _applied(frames: list[Frame], run: Sequence[Splice], offset: int) -> list[Frame]:
    found: list[Frame] = []
    at = 0
    for splice in run:
        start, end = splice.start - offset, splice.end - offset
        if start < at or tuple(frames[start:end]) != splice.removed:
            raise UndoConflict("The trajectory no longer has the frames that the change left there.")
        found += frames[at:start]
        found += splice.added
        at = end
    found += frames[at:]
    return found


def inverse(splices: Sequence[Splice]) -> list[Splice]:
    return [splice.inverse for splice in reversed(splices)]


class _Overlapping(Exception):
    pass


def exchange(one: Splice, other: Splice) -> tuple[Splice, Splice]:
    """Transform two splices of the same trajectory: (one applied after other, other applied after one)."""
    if one.end <= other.start:
        return one, other.moved(one.growth)
    if other.end <= one.start:
        return one.moved(other.growth), other
    raise _Overlapping


class Steps:
    """Counts the exchanges of one undo, and refuses one that would take minutes."""

    def __init__(self) -> None:
        self._left = _MOST_EXCHANGES

    def take(self, count: int) -> None:
        self._left -= count
        if self._left < 0:
            raise UndoConflict("Too many scattered changes were made since. Undo the later ones first.")


def exchange_all(
    some: Sequence[Splice], others: Sequence[Splice], steps: Steps | None = None
) -> tuple[list[Splice], list[Splice]]:
    """`exchange` for lists of splices."""
    if steps is not None:
        steps.take(len(some) * len(others))
    remaining = list(others)
    moved: list[Splice] = []
    for one in some:
        passed: list[Splice] = []
        for other in remaining:
            one, other_after = exchange(one, other)  # noqa: PLW2901 - it moves past each of the others
            passed.append(other_after)
        moved.append(one)
        remaining = passed
    return moved, remaining


@dataclass(slots=True)
class AppliedChange:
    """A change in the history of a room: the fields that an undo needs."""

    id: object
    splices: list[Splice]
    undoes: list[object] = field(default_factory=list[object])  # of an undo: for each splice, the change it reverts
    undone_by: object | None = None
    forgotten: bool = False  # its frames were deleted, so it cannot be undone


@dataclass(frozen=True, slots=True)
class InverseSplice:
    """A splice to apply now, and the change that it reverts in part."""

    splice: Splice
    undoes: object


def undo(history: Sequence[AppliedChange], change_ids: Collection[object]) -> list[InverseSplice]:
    """Plan the undo of changes, newest first. `history` holds every change since the oldest of them."""
    later: list[AppliedChange] = []  # changes after the current one, as if nothing had been undone
    plan: list[InverseSplice] = []
    steps = Steps()
    for change in reversed(history):
        if change.id in change_ids:
            if change.forgotten:
                raise ChangeExpired
            back, later = _moved_past(change, later, steps)
            plan += [InverseSplice(splice, change.id) for splice in back]
        elif change.undone_by is not None:
            later = _without_undone(change, later, steps)
        else:
            later = [change, *later]
    return plan


def _moved_past(
    change: AppliedChange, later: Sequence[AppliedChange], steps: Steps
) -> tuple[list[Splice], list[AppliedChange]]:
    """The inverse of a change moved past later ones, and the later ones as if the change had not been made."""
    back = inverse(change.splices)
    without: list[AppliedChange] = []
    for other in later:
        try:
            back, splices = exchange_all(back, other.splices, steps)
        except _Overlapping:
            raise UndoConflict(changes=[str(other.id)]) from None
        without.append(replace(other, splices=splices))
    return back, without


def _without_undone(change: AppliedChange, later: Sequence[AppliedChange], steps: Steps) -> list[AppliedChange]:
    """The later changes, without a change that was undone in the meantime and without its undo."""
    index = next((index for index, other in enumerate(later) if other.id == change.undone_by), None)
    if index is None:
        return [change, *later]
    _, between = _moved_past(change, later[:index], steps)
    its_undo = later[index]
    kept = [(splice, of) for splice, of in zip(its_undo.splices, its_undo.undoes, strict=True) if of != change.id]
    rest = replace(its_undo, splices=[splice for splice, _ in kept], undoes=[of for _, of in kept])
    return [*between, rest, *later[index + 1 :]]
