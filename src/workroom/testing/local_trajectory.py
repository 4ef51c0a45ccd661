"""The frames of a room without a server.

They are encoded, decoded and edited by the code that clients and the server use.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, MutableSequence
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any, Self, cast

from workroom.client.frames import indexing
from workroom.client.frames.ase_codec import AtomsReader, encode_atoms
from workroom.domain.rooms.frame_marks import FrameMoves
from workroom.domain.rooms.trajectory_edits import (
    Delete,
    Edit,
    Extend,
    Insert,
    Places,
    Replace,
    Span,
    Where,
    cuts,
    position_of,
)
from workroom.domain.rooms.undo_splices import Splice, apply

if TYPE_CHECKING:
    from ase import Atoms


class LocalTrajectory(MutableSequence["Atoms"]):
    """A list of frames that takes every index a room takes."""

    def __init__(self) -> None:
        self._ids = count(1)
        self._trajectory: list[int] = []  # ids of frames
        self._bodies: dict[int, bytes] = {}

    def __len__(self) -> int:
        return len(self._trajectory)

    def __getitem__(self, index: Any) -> Any:
        if indexing.is_single(index):
            return self._frame(position_of(indexing.checked_index(index), len(self)))
        return [self._frame(position) for position in self._where(index).positions(len(self))]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._edit(Replace(self._where(index)), [value] if indexing.is_single(index) else value)

    def __delitem__(self, index: Any) -> None:
        self._edit(Delete(self._where(index)), [])

    def insert(self, index: int, value: Atoms) -> None:
        """Insert a frame before an index."""
        self._edit(Insert(indexing.checked_index(index)), [value])

    def append(self, value: Atoms) -> None:
        """Append a frame."""
        self._edit(Extend(), [value])

    def extend(self, values: Iterable[Atoms], *, progress: bool = False) -> None:
        """Append frames."""
        self._edit(Extend(), values)

    def clear(self) -> None:
        """Remove every frame."""
        del self[:]

    def reverse(self) -> None:
        """Reverse the order of the frames."""
        self._arrange(range(len(self) - 1, -1, -1))

    def sort(self, *, key: Any, reverse: bool = False) -> None:
        """Sort the frames by a key of each."""
        keys = [key(atoms) for atoms in self]
        self._arrange(sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse))

    def copy(self) -> list[Atoms]:
        """All frames."""
        return self[:]

    def __iadd__(self, values: Iterable[Atoms]) -> Self:
        self.extend(values)
        return self

    def __iter__(self) -> Iterator[Atoms]:
        for position in range(len(self)):
            yield self._frame(position)

    @contextmanager
    def batch(self, *, every: float | None = None) -> Generator[Self]:
        """Without effect: nothing is sent."""
        yield self

    def _frame(self, position: int) -> Atoms:
        return AtomsReader().atoms(self._bodies[self._trajectory[position]])

    def _where(self, index: Any) -> Where:
        if isinstance(index, slice):
            given = cast("slice[int | None, int | None, int | None]", index)
            return Span(given.start, given.stop, given.step)
        if indexing.is_single(index):
            return Places([indexing.checked_index(index)])
        mask = indexing.is_mask(index)
        return Places(indexing.from_mask(index, len(self)) if mask else indexing.from_sequence(index))

    def _edit(self, edit: Edit, frames: Iterable[Atoms]) -> None:
        added = {next(self._ids): encode_atoms(atoms) for atoms in frames}
        new = list(added)
        splices = [
            Splice(
                cut.start,
                tuple(self._trajectory[cut.start : cut.start + cut.removed]),
                tuple(new[number] for number in cut.added),
            )
            for cut in cuts(edit, len(self), len(new))
        ]
        self._bodies |= added
        self._apply(splices)

    def _arrange(self, order: Iterable[int]) -> None:
        arranged = tuple(self._trajectory[position] for position in order)
        self._apply([Splice(0, tuple(self._trajectory), arranged)])

    def _apply(self, splices: list[Splice]) -> None:
        moves = FrameMoves(splices, len(self))
        apply(self._trajectory, splices)
        if not moves.none:
            self.follow_frames(moves)

    def follow_frames(self, moves: FrameMoves) -> None:
        """Called after each edit that moves frames, so that everything that names frames can follow them."""
