"""Streaming of frames: buffering before an upload, the upload itself, decoding of a download."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol, cast

from workroom.client.frames.ase_codec import AtomsReader, encode_atoms
from workroom.wire.frames import Splitter, framed

if TYPE_CHECKING:
    from ase import Atoms

CHUNK_BYTES = 512 * 1024  # frames are sent in chunks of about this size


def stream(*frames: bytes) -> bytes:
    return b"".join([part for frame in frames for part in framed(frame)])


class FrameBuffer:
    """Collects encoded frames until they fill a chunk."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, atoms: Any) -> bytes:
        """Add a frame; returns a chunk when it is full, else nothing."""
        frame = encode_atoms(atoms)
        self._parts += framed(frame)
        self._size += len(frame)
        return self.flush() if self._size >= CHUNK_BYTES else b""

    def flush(self) -> bytes:
        chunk = b"".join(self._parts)
        self._parts.clear()
        self._size = 0
        return chunk


def iter_chunks(frames: Iterable[Atoms], *, progress: bool = False) -> Iterator[bytes]:
    """Encode frames lazily as the chunks of a stream."""
    buffer = FrameBuffer()
    for atoms in with_progress_bar(reject_single_frame(frames), progress):
        if chunk := buffer.add(atoms):
            yield chunk
    yield buffer.flush()


async def _aiter_async_chunks(frames: AsyncIterator[Atoms]) -> AsyncIterator[bytes]:
    buffer = FrameBuffer()
    async for atoms in frames:
        if chunk := buffer.add(atoms):
            yield chunk
    yield buffer.flush()


async def aiter_chunks(frames: Any, *, progress: bool = False) -> AsyncIterator[bytes]:
    """The chunks of frames from an iterable or an asynchronous iterator."""
    if isinstance(frames, AsyncIterator):
        async for chunk in _aiter_async_chunks(cast("AsyncIterator[Atoms]", frames)):
            yield chunk
    else:
        for chunk in iter_chunks(frames, progress=progress):
            yield chunk


def reject_single_frame(frames: Any) -> Any:
    if hasattr(frames, "get_positions"):
        raise TypeError("This is one ase.Atoms where several are expected: append() takes one, or put it in a list.")
    return frames


def with_progress_bar(frames: Any, progress: bool) -> Any:
    """The same frames; a progress bar counts them as they are consumed."""
    if not progress:
        return frames
    from tqdm import tqdm

    return tqdm(frames, desc="frames", unit="frame")


class FrameSink:
    """Decodes the frames of a response as it arrives."""

    def __init__(self, as_values: bool = False) -> None:
        self._as_values = as_values
        self.begin({})

    def begin(self, headers: Any) -> None:
        """Start a response. Drops what an earlier, broken one has delivered."""
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
    """Sends the request, with whole or with streamed content."""

    async def __call__(self, content: bytes | AsyncIterator[bytes]) -> Any: ...


class Upload:
    """A request that streams chunks with back-pressure. A single chunk is sent whole, so that it can be repeated."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._previous: bytes | None = None
        self._chunks: asyncio.Queue[bytes | None] = asyncio.Queue(2)
        self._task: asyncio.Task[Any] | None = None

    async def add(self, chunk: bytes) -> None:
        """Send a chunk; raises the error with which the server refused the upload."""
        if self._previous is not None:
            if self._task is None:
                self._task = asyncio.create_task(self._send(self._content()))
            await self._put(self._previous)
        self._previous = chunk

    async def finish(self) -> Any:
        if self._task is None:
            return await self._send(self._previous or b"")
        await self._put(self._previous or b"")
        await self._put(None)
        return await self._task

    async def abort(self) -> None:
        """Abort the request: the server discards what it has received."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _content(self) -> AsyncIterator[bytes]:
        while (chunk := await self._chunks.get()) is not None:
            if chunk:
                yield chunk

    async def _put(self, chunk: bytes | None) -> None:
        assert self._task is not None
        putting = asyncio.ensure_future(self._chunks.put(chunk))
        try:
            await asyncio.wait({putting, self._task}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            putting.cancel()
        if self._task.done():
            self._task.result()
