"""A room's trajectory as a blocking list of structures."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, MutableSequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self, cast, overload

from workroom.client.frames import indexing
from workroom.client.frames.async_frames import AsyncFrames
from workroom.client.frames.indexing import Index, ManyIndices, SingleIndex
from workroom.client.frames.prefetch import FramePrefetcher
from workroom.client.frames.transfer import iter_chunks
from workroom.client.portal import Portal
from workroom.wire.trajectories import FrameMetadata

if TYPE_CHECKING:
    from ase import Atoms


class FrameList(MutableSequence["Atoms"]):
    """Behaves like a Python list. Each writing call is one request and one transaction."""

    portal: Portal

    @property
    def inner(self) -> AsyncFrames:
        raise NotImplementedError

    def __len__(self) -> int:
        return self.portal.call(self.inner.length())

    @overload
    def __getitem__(self, index: SingleIndex) -> Atoms: ...
    @overload
    def __getitem__(self, index: ManyIndices) -> list[Atoms]: ...
    def __getitem__(self, index: Any) -> Any:
        if indexing.is_single(index):
            return self.portal.call(self.inner.frame(index))
        return self.portal.call(self.inner.frames(index))

    @overload
    def __setitem__(self, index: SingleIndex, value: Atoms) -> None: ...
    @overload
    def __setitem__(self, index: ManyIndices, value: Iterable[Atoms]) -> None: ...
    def __setitem__(self, index: Index, value: Any) -> None:
        self.set_frames(index, value)

    def __delitem__(self, index: Index) -> None:
        self.portal.call(self.inner.delete(index))

    def insert(self, index: int, value: Atoms) -> None:
        """Insert a frame before an index."""
        self.portal.call(self.inner.insert(index, value))

    def append(self, value: Atoms) -> None:
        """Append a frame."""
        self.portal.call(self.inner.append(value))

    def extend(self, values: Iterable[Atoms], *, progress: bool = False) -> None:
        """Append frames: all of them, or none after an error. They are sent while the iterable produces them."""
        self._send_all({"action": "extend"}, values, progress=progress)

    def set_frames(self, index: Index, value: Atoms | Iterable[Atoms]) -> None:
        """Replace frames, as `room[index] = value` does."""
        if indexing.is_single(index):
            self.portal.call(self.inner.set_frames(index, value))
        else:
            params = {"action": "replace"} | self.portal.call(self.inner.params_of(index))
            self._send_all(params, cast("Iterable[Atoms]", value))

    def get(self, index: Index, keys: Iterable[str] | None = None) -> Any:
        """Values of a frame by key, e.g. `get(0, keys=["arrays.positions"])`; a list for several frames."""
        return self.portal.call(self.inner.get(index, keys))

    def frame_metadata(self, index: int = 0) -> FrameMetadata:
        """The keys, dtypes and shapes of a frame, and the change that wrote it."""
        return self.portal.call(self.inner.frame_metadata(index))

    def pop(self, index: int = -1) -> Atoms:
        """Remove a frame and return it."""
        return self.portal.call(self.inner.pop(index))

    def clear(self) -> None:
        """Remove every frame."""
        self.portal.call(self.inner.clear())

    def reverse(self) -> None:
        """Reverse the order of the frames on the server; no frame is transferred."""
        self.portal.call(self.inner.reverse())

    def sort(self, *, key: Any, reverse: bool = False) -> None:
        """Sort the frames on the server, e.g. `key=lambda atoms: atoms.info["energy"]`; no frame is sent back."""
        keys = [key(atoms) for atoms in self]
        self.portal.call(self.inner.arrange(sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)))

    def remove(self, value: Atoms) -> None:
        """Remove the first frame that equals this one."""
        del self[self.index(value)]

    def copy(self) -> list[Atoms]:
        """All frames."""
        return self[:]

    def __iadd__(self, values: Iterable[Atoms]) -> Self:
        self.extend(values)
        return self

    def __iter__(self) -> Iterator[Atoms]:
        """Iterate over all frames; the next ones are prefetched."""
        return self._iterate(FramePrefetcher(self.inner))

    def __reversed__(self) -> Iterator[Atoms]:
        return self._iterate(FramePrefetcher(self.inner, len(self) - 1, backwards=True))

    @property
    def atoms(self) -> Atoms:
        """The frame at the current step of the room; assigning replaces it."""
        return self.portal.call(self.inner.get_atoms())

    @atoms.setter
    def atoms(self, value: Atoms) -> None:
        self.portal.call(self.inner.set_atoms(value))

    @contextmanager
    def batch(self, *, every: float | None = None) -> Generator[Self]:
        """Collect the writes of a block in one request, sent at its end or before a read; dropped after an error.

        With `every`, what was collected is sent in the background each so many seconds, and also after an error:
        `with room.batch(every=0.5):` around the loop of a simulation. Its frames appear while it runs, and a step never
        waits for the network.
        """
        batch = self.inner.batch(every=every)
        self.portal.call(batch.__aenter__())
        try:
            yield self
        except BaseException as error:
            self.portal.call(batch.__aexit__(type(error), error, None))
            raise
        self.portal.call(batch.__aexit__(None, None, None))

    def _iterate(self, prefetcher: FramePrefetcher) -> Generator[Atoms]:
        try:
            while True:
                atoms = prefetcher.next_buffered()
                if atoms is None:  # `not atoms` would also be true for a structure without atoms
                    atoms = self.portal.call(prefetcher.next())
                if atoms is None:
                    return
                yield atoms
        finally:
            self.portal.soon(prefetcher.close)

    def _send_all(self, params: dict[str, Any], frames: Iterable[Atoms], *, progress: bool = False) -> None:
        """Send frames. The iterable runs in the caller's thread, so that it may use the room."""
        upload = self.inner.open_upload(params)
        try:
            for chunk in iter_chunks(frames, progress=progress):
                self.portal.call(upload.add(chunk))
            self.portal.call(upload.finish())
        except BaseException:
            self.portal.call(upload.abort())
            raise
