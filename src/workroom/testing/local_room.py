"""A room without a server, for unit tests of extensions.

Frames are encoded and decoded, and items converted and checked, by the code that clients and the server use. So what a
room refuses, this one refuses too, and bookmarks follow their frames. There are no other users, jobs, changes or undo.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self, cast

from workroom.client.arguments import arguments_of, restore
from workroom.client.extension import Extension
from workroom.client.items.codecs import BOOKMARKS, FIGURES, GEOMETRIES, GROUPS, METADATA, SELECTIONS, indices_of
from workroom.domain.errors import BadInput, JobCancelled
from workroom.domain.rooms.frame_marks import FrameMoves, atoms_named, frames_named
from workroom.domain.rooms.items import PARTICLES, Kind
from workroom.domain.rooms.trajectory_edits import position_of
from workroom.domain.values.codec import pack, unpack
from workroom.geometries import Bonds, Cell, Geometry, Spheres
from workroom.testing.local_items import LocalFigures, LocalItems
from workroom.testing.local_trajectory import LocalTrajectory

if TYPE_CHECKING:
    from ase import Atoms


class LocalRoom(LocalTrajectory):
    """What an extension gets as `vis`, without a server: `LocalRoom([atoms, …])`.

    `progress_reports` and `messages` hold what the extension reported. After `cancel()` it is told to stop.
    """

    def __init__(self, frames: Iterable[Atoms] = (), *, name: str = "local") -> None:
        super().__init__()
        self.name = name
        self.progress_reports: list[tuple[float | None, str]] = []
        self.messages: list[str] = []
        self.cancelled = False
        self._step = 0
        self._frame_selection: list[int] | None = None
        self._selections: LocalItems[str, tuple[int, ...]] = LocalItems(Kind.SELECTION, SELECTIONS, self._check)
        self._groups: LocalItems[str, Any] = LocalItems(Kind.SELECTION_GROUP, GROUPS, self._check)
        self._bookmarks: LocalItems[int, str] = LocalItems(Kind.BOOKMARK, BOOKMARKS, self._check)
        self._geometries: LocalItems[str, Geometry] = LocalItems(Kind.GEOMETRY, GEOMETRIES, self._check)
        self._metadata: LocalItems[str, Any] = LocalItems(Kind.METADATA, METADATA, self._check)
        self._figures = LocalFigures(Kind.FIGURE, FIGURES, self._check)
        self._geometries.update({"spheres": Spheres(), "bonds": Bonds(), "cell": Cell()})
        self.extend(frames)

    @property
    def atoms(self) -> Atoms:
        """The frame at the current step; assigning replaces it."""
        return self[self._step]

    @atoms.setter
    def atoms(self, value: Atoms) -> None:
        self[self._step] = value

    def follow_frames(self, moves: FrameMoves) -> None:
        step = moves.follow([self._step])[0]
        self._step = min(self._step if step < 0 else step, max(0, len(self) - 1))
        if self._frame_selection is not None:
            self._frame_selection = moves.item(Kind.FRAME_SELECTION, "frames", self._frame_selection)[1]
        for items in (self._bookmarks, self._figures):
            items.stored = dict(moves.item(items.kind, key, value) for key, value in items.stored.items())

    # Items ------------------------------------------------------------------------------------------------------------

    @property
    def selection(self) -> tuple[int, ...]:
        return self._selections[PARTICLES]

    @selection.setter
    def selection(self, value: Any) -> None:
        self._selections[PARTICLES] = value

    @property
    def selections(self) -> LocalItems[str, tuple[int, ...]]:
        return self._selections

    @selections.setter
    def selections(self, value: Mapping[str, Any]) -> None:
        self._selections.replace(value)

    @property
    def selection_groups(self) -> LocalItems[str, Any]:
        return self._groups

    @selection_groups.setter
    def selection_groups(self, value: Mapping[str, Any]) -> None:
        self._groups.replace(value)

    @property
    def frame_selection(self) -> tuple[int, ...]:
        return tuple(mark for mark in self._frame_selection or () if mark >= 0)

    @frame_selection.setter
    def frame_selection(self, value: Any) -> None:
        indices = None if value is None else list(dict.fromkeys(indices_of(value)))
        self._check(Kind.FRAME_SELECTION, "frames", indices or [])
        self._frame_selection = indices

    @property
    def bookmarks(self) -> LocalItems[int, str]:
        return self._bookmarks

    @bookmarks.setter
    def bookmarks(self, value: Mapping[int, str]) -> None:
        self._bookmarks.replace(value)

    @property
    def geometries(self) -> LocalItems[str, Geometry]:
        return self._geometries

    @geometries.setter
    def geometries(self, value: Mapping[str, Any]) -> None:
        self._geometries.replace(value)

    @property
    def figures(self) -> LocalFigures:
        return self._figures

    @figures.setter
    def figures(self, value: Mapping[str, Any]) -> None:
        self._figures.replace(value)

    @property
    def metadata(self) -> LocalItems[str, Any]:
        return self._metadata

    @metadata.setter
    def metadata(self, value: Mapping[str, Any]) -> None:
        self._metadata.replace(value)

    @property
    def step(self) -> int:
        return self._step

    @step.setter
    def step(self, value: int) -> None:
        step = indices_of([value], negative=True)[0]
        position = step + len(self) if step < 0 else step
        if not 0 <= position < max(1, len(self)):
            raise BadInput(f"There is no step {value}: the room has {len(self)} frames.")
        self._step = position

    def _check(self, kind: Kind, key: str, value: Any) -> None:
        """The frames and atoms that an item names exist."""
        frames = frames_named(kind, key, value)
        if frames:
            position_of(max(frames), len(self))
        last = max(atoms_named(kind, key, value), default=-1)
        if last < 0:
            return
        atoms = max((len(frame) for frame in self), default=0)
        if last >= atoms:
            has = f"0 to {atoms - 1}" if atoms else "none"
            raise BadInput(f"There is no atom {last}: the atoms of this room are {has}.", index=last, atoms=atoms)

    # Jobs -------------------------------------------------------------------------------------------------------------

    def progress(self, fraction: float | None, message: str = "") -> None:
        """Record the progress. Raises JobCancelled after `cancel()`."""
        if self.cancelled:
            raise JobCancelled("The job was cancelled.")
        self.progress_reports.append((fraction, message))

    def cancel(self) -> None:
        """Tell the extension to stop: `cancelled` becomes True, and `progress` raises JobCancelled."""
        self.cancelled = True

    def log(self, text: str) -> None:
        self.messages.append(text)

    def lock(self, target: str = "trajectory", msg: str | None = None, **_: Any) -> LocalLock:
        return LocalLock(target, msg or "")

    def run(self, extension: Extension, **run_kwargs: Any) -> Any:
        """Run an extension in this room and return its result."""
        return run_extension(extension, self, **run_kwargs)

    def __repr__(self) -> str:
        return f"<LocalRoom {self.name!r} of {len(self)} frames>"


class LocalLock:
    """A lock that is always free."""

    def __init__(self, target: str, msg: str) -> None:
        self.target = target
        self.msg = msg
        self.is_lost = False

    def update(self, msg: str) -> None:
        self.msg = msg

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def run_extension(extension: Extension, room: Any = None, **run_kwargs: Any) -> Any:
    """Run an extension as a worker does, and return the result as its caller gets it.

    The parameters and the result are packed and restored on the way, so a value that cannot travel is refused here too.
    """
    result = cast(Any, restore(type(extension), arguments_of(extension))).run(
        LocalRoom() if room is None else room, **run_kwargs
    )
    return unpack(pack(result, "The result"))
