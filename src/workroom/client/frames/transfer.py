"""Frames under way: as they arrive, as they are gathered, as they are sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol, cast

from workroom.client.frames.ase_codec import AtomsReader, encode_atoms
from workroom.wire.frames import Splitter, framed

if TYPE_CHECKING:
    from ase import Atoms

PIECE = 512 * 1024  # how much is sent at once


def stream(*frames: bytes) -> bytes:
    return b"".join([part for frame in frames for part in framed(frame)])


class FrameBuffer:
    """Frames that wait until there are enough of them to be sent."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, atoms: Any) -> bytes:
        """What is to be sent now: nothing, most of the time."""
        frame = encode_atoms(atoms)
        self._parts += framed(frame)
        self._size += len(frame)
        return self.rest() if self._size >= PIECE else b""

    def rest(self) -> bytes:
        piece = b"".join(self._parts)
        self._parts.clear()
        self._size = 0
        return piece


def pieces(frames: Iterable[Atoms], *, progress: bool = False) -> Iterator[bytes]:
    """Frames as parts of a stream, made when they are asked for."""
    gathering = FrameBuffer()
    for atoms in shown(several(frames), progress):
        if piece := gathering.add(atoms):
            yield piece
    yield gathering.rest()


async def pieces_as_they_come(frames: AsyncIterator[Atoms]) -> AsyncIterator[bytes]:
    gathering = FrameBuffer()
    async for atoms in frames:
        if piece := gathering.add(atoms):
            yield piece
    yield gathering.rest()


async def aiter_chunks(frames: Any, *, progress: bool = False) -> AsyncIterator[bytes]:
    """The same for frames of either kind."""
    if isinstance(frames, AsyncIterator):
        async for piece in pieces_as_they_come(cast("AsyncIterator[Atoms]", frames)):
            yield piece
    else:
        for piece in pieces(frames, progress=progress):
            yield piece


def several(frames: Any) -> Any:
    if hasattr(frames, "get_positions"):
        raise TypeError("This is one ase.Atoms where several are expected: append() takes one, or put it in a list.")
    return frames


def shown(frames: Any, progress: bool) -> Any:
    """The same frames, with a bar that shows how many have gone."""
    if not progress:
        return frames
    from tqdm import tqdm

    return tqdm(frames, desc="frames", unit="frame")


class Fetched:
    """Frames as they arrive."""

    def __init__(self, as_values: bool = False) -> None:
        self._as_values = as_values
        self.begin({})

    def begin(self, headers: Any) -> None:
        """An answer begins; one before it may have broken off."""
        self.length = int(headers.get("workroom-length", 0))
        self.revision = int(headers.get("workroom-revision", 0))
        self.atoms: list[Atoms] = []
        self.values: list[dict[str, Any]] = []
        self.size = 0
        self._splitter = Splitter()
        self._reader = AtomsReader()

    def feed(self, piece: bytes) -> None:
        data, spans = self._splitter.feed(piece)
        self.size += len(piece)
        for start, stop in spans:
            if self._as_values:
                self.values.append(self._reader.values(data, start, stop))
            else:
                self.atoms.append(self._reader.atoms(data, start, stop))

    def end(self) -> None:
        self._splitter.end()


class Send(Protocol):
    """Makes the request, of whole content or of content that is still to come."""

    async def __call__(self, content: bytes | AsyncIterator[bytes]) -> Any: ...


class Upload:
    """A request that is sent piece by piece, no faster than the server takes it; a single piece goes as a whole."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._held: bytes | None = None
        self._pieces: asyncio.Queue[bytes | None] = asyncio.Queue(2)
        self._task: asyncio.Task[Any] | None = None

    async def add(self, piece: bytes) -> None:
        """Send a piece; raises what the server refused the upload with."""
        if self._held is not None:
            if self._task is None:
                self._task = asyncio.create_task(self._send(self._content()))
            await self._put(self._held)
        self._held = piece

    async def finish(self) -> Any:
        if self._task is None:
            return await self._send(self._held or b"")
        await self._put(self._held or b"")
        await self._put(None)
        return await self._task

    async def abort(self) -> None:
        """Break off: the server forgets what has come so far."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _content(self) -> AsyncIterator[bytes]:
        while (piece := await self._pieces.get()) is not None:
            if piece:
                yield piece

    async def _put(self, piece: bytes | None) -> None:
        assert self._task is not None
        putting = asyncio.ensure_future(self._pieces.put(piece))
        try:
            await asyncio.wait({putting, self._task}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            putting.cancel()
        if self._task.done():
            self._task.result()
