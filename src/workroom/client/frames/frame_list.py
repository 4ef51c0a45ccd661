"""A room's trajectory as a list of structures, for callers who wait."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, MutableSequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self, cast

from workroom.client.frames import indexing
from workroom.client.frames.frames import AsyncFrames
from workroom.client.frames.indexing import Index
from workroom.client.frames.prefetch import ReadAhead
from workroom.client.frames.transfer import pieces
from workroom.client.portal import Portal
from workroom.wire.trajectories import FrameMetadata

if TYPE_CHECKING:
    from ase import Atoms


class FrameList(MutableSequence["Atoms"]):
    """Behaves as a list does, over the network: what a call changes is changed in one request, whole or not at all."""

    portal: Portal

    @property
    def inner(self) -> AsyncFrames:
        raise NotImplementedError

    def __len__(self) -> int:
        return self.portal.call(self.inner.length())

    def __getitem__(self, index: Any) -> Any:
        if indexing.is_one(index):
            return self.portal.call(self.inner.frame(index))
        return self.portal.call(self.inner.frames(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        self.set_frames(index, value)

    def __delitem__(self, index: Any) -> None:
        self.portal.call(self.inner.delete(index))

    def insert(self, index: int, value: Atoms) -> None:
        """Put a frame before another."""
        self.portal.call(self.inner.insert(index, value))

    def append(self, value: Atoms) -> None:
        """Put a frame at the end."""
        self.portal.call(self.inner.append(value))

    def extend(self, values: Iterable[Atoms], *, progress: bool = False) -> None:
        """Put frames at the end: all of them, or none if anything fails. They are sent while they are made."""
        self._send_all({"action": "extend"}, values, progress=progress)

    def set_frames(self, index: Index, value: Atoms | Iterable[Atoms]) -> None:
        """Put frames in the place of others, as `room[index] = value` does."""
        if indexing.is_one(index):
            self.portal.call(self.inner.set_frames(index, value))
        else:
            params = {"action": "replace"} | self.portal.call(self.inner.params_of(index))
            self._send_all(params, cast("Iterable[Atoms]", value))

    def get(self, index: Index, keys: Iterable[str] | None = None) -> Any:
        """The values of a frame by their keys, e.g. `get(0, keys=["arrays.positions"])`; of several frames a list."""
        return self.portal.call(self.inner.get(index, keys))

    def frame_metadata(self, index: int = 0) -> FrameMetadata:
        """What a frame consists of, and which change brought it."""
        return self.portal.call(self.inner.frame_metadata(index))

    def pop(self, index: int = -1) -> Atoms:
        """Take a frame out, and have it."""
        return self.portal.call(self.inner.pop(index))

    def clear(self) -> None:
        """Take every frame out."""
        self.portal.call(self.inner.clear())

    def reverse(self) -> None:
        """Turn the order of the frames round; none of them is sent."""
        self.portal.call(self.inner.reverse())

    def sort(self, *, key: Any, reverse: bool = False) -> None:
        """Bring the frames into an order, e.g. `key=lambda atoms: atoms.info["energy"]`; none of them is sent."""
        keys = [key(atoms) for atoms in self]
        self.portal.call(self.inner.arrange(sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)))

    def remove(self, value: Atoms) -> None:
        """Take out the first frame that equals this one."""
        del self[self.index(value)]

    def copy(self) -> list[Atoms]:
        return self[:]

    def __iadd__(self, values: Iterable[Atoms]) -> Self:
        self.extend(values)
        return self

    def __iter__(self) -> Iterator[Atoms]:
        """Every frame, read ahead."""
        return self._walk(ReadAhead(self.inner))

    def __reversed__(self) -> Iterator[Atoms]:
        return self._walk(ReadAhead(self.inner, len(self) - 1, backwards=True))

    @property
    def atoms(self) -> Atoms:
        """The frame everybody looks at; assigning another puts that in its place."""
        return self.portal.call(self.inner.get_atoms())

    @atoms.setter
    def atoms(self, value: Atoms) -> None:
        self.portal.call(self.inner.set_atoms(value))

    @contextmanager
    def batch(self) -> Generator[Self]:
        """Writes within go out together when it ends, or when something is read; after an error those left do not."""
        batch = self.inner.batch()
        self.portal.call(batch.__aenter__())
        try:
            yield self
        except BaseException as error:
            self.portal.call(batch.__aexit__(type(error), error, None))
            raise
        self.portal.call(batch.__aexit__(None, None, None))

    def _walk(self, ahead: ReadAhead) -> Generator[Atoms]:
        try:
            while True:
                atoms = ahead.at_hand()
                if atoms is None:  # an empty structure is no less a frame
                    atoms = self.portal.call(ahead.next())
                if atoms is None:
                    return
                yield atoms
        finally:
            self.portal.soon(ahead.close)

    def _send_all(self, params: dict[str, Any], frames: Iterable[Atoms], *, progress: bool = False) -> None:
        """The frames are made here, in the caller's thread, which may use the room while it makes them."""
        upload = self.inner.open_upload(params)
        try:
            for piece in pieces(frames, progress=progress):
                self.portal.call(upload.add(piece))
            self.portal.call(upload.finish())
        except BaseException:
            self.portal.call(upload.abort())
            raise
