"""What changes did to a trajectory, how to take it back, and when that cannot be done.

A splice takes frames out at one place and puts others in. A change is a list of splices, made one after the other. To
undo an old change its inverse is moved past everything that came later, as if it had been made last:

    before ── change ── later            before ── change ── inverse ── later'
                          └── inverse'                                    └── the same trajectory

Two splices that follow one another can change places when they concern different frames; otherwise they overlap.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from workroom.domain.errors import ChangeExpired, UndoConflict

Frame = int


@dataclass(frozen=True, slots=True)
class Splice:
    """At `start` the frames `removed` were taken out, and the frames `added` put in."""

    start: int
    removed: tuple[Frame, ...] = ()
    added: tuple[Frame, ...] = ()

    @property
    def end(self) -> int:
        """Where what it takes out ends."""
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
    """Make the splices in a list that begins at the position `offset`."""
    for splice in splices:
        start = splice.start - offset
        if tuple(frames[start : start + len(splice.removed)]) != splice.removed:
            raise UndoConflict("The trajectory is not as the change left it.")
        frames[start : start + len(splice.removed)] = splice.added


def inverse(splices: Sequence[Splice]) -> list[Splice]:
    return [splice.inverse for splice in reversed(splices)]


class _Overlapping(Exception):
    pass


def exchange(one: Splice, other: Splice) -> tuple[Splice, Splice]:
    """Two splices that could each be made now: (one, made after other), (other, made after one)."""
    if one.end <= other.start:
        return one, other.moved(one.growth)
    if other.end <= one.start:
        return one.moved(other.growth), other
    raise _Overlapping


def exchange_all(some: Sequence[Splice], others: Sequence[Splice]) -> tuple[list[Splice], list[Splice]]:
    """The same for lists of splices."""
    waiting = list(others)
    moved: list[Splice] = []
    for one in some:
        passed: list[Splice] = []
        for other in waiting:
            one, other_after = exchange(one, other)  # noqa: PLW2901 - it moves on
            passed.append(other_after)
        moved.append(one)
        waiting = passed
    return moved, waiting


@dataclass(slots=True)
class AppliedChange:
    """A change that was made, as far as an undo needs to know."""

    id: object
    splices: list[Splice]
    undoes: list[object] = field(default_factory=list[object])  # for each splice the change it takes a part back of
    undone_by: object | None = None
    forgotten: bool = False


@dataclass(frozen=True, slots=True)
class InverseSplice:
    """A splice to make now, and the change of which it takes back a part."""

    splice: Splice
    undoes: object


def undo(history: Sequence[AppliedChange], wanted: Collection[object]) -> list[InverseSplice]:
    """How to take back the wanted changes, newest first. `history` is every change since the oldest wanted one."""
    later: list[AppliedChange] = []  # what came after the change looked at, as if nothing had been undone
    plan: list[InverseSplice] = []
    for change in reversed(history):
        if change.id in wanted:
            if change.forgotten:
                raise ChangeExpired
            back, later = _past(change, later)
            plan += [InverseSplice(splice, change.id) for splice in back]
        elif change.undone_by is not None:
            later = _without(change, later)
        else:
            later = [change, *later]
    return plan


def _past(change: AppliedChange, later: Sequence[AppliedChange]) -> tuple[list[Splice], list[AppliedChange]]:
    """The inverse of a change, moved past what came later; and that, as if the change had not been made."""
    back = inverse(change.splices)
    without: list[AppliedChange] = []
    for other in later:
        try:
            back, splices = exchange_all(back, other.splices)
        except _Overlapping:
            raise UndoConflict(changes=[str(other.id)]) from None
        without.append(replace(other, splices=splices))
    return back, without


def _without(change: AppliedChange, later: Sequence[AppliedChange]) -> list[AppliedChange]:
    """What came later, without a change that was taken back in the meantime and without that taking back."""
    place = next((place for place, other in enumerate(later) if other.id == change.undone_by), None)
    if place is None:
        return [change, *later]
    _, between = _past(change, later[:place])
    taking_back = later[place]
    left = [(splice, of) for splice, of in zip(taking_back.splices, taking_back.undoes, strict=True) if of != change.id]
    rest = replace(taking_back, splices=[splice for splice, _ in left], undoes=[of for _, of in left])
    return [*between, rest, *later[place + 1 :]]
