"""Streams of frames: each frame follows its length and is padded to a multiple of 8."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from workroom.domain.errors import BadInput
from workroom.wire.frames.dtypes import MOST_BYTES

_LENGTH = struct.Struct("<Q")


def framed(frame: bytes) -> tuple[bytes, bytes, bytes]:
    """The parts of a frame in a stream: length, frame, padding."""
    return _LENGTH.pack(len(frame)), frame, bytes(-len(frame) % 8)


class Splitter:
    """Finds complete frames in a stream that arrives in chunks."""

    def __init__(self) -> None:
        self._rest = b""
        self._missing = 0  # bytes until the current frame is complete
        self._pending: list[bytes] = []

    def feed(self, chunk: bytes) -> tuple[bytes, list[tuple[int, int]]]:
        """The buffered bytes, and the start and stop of each complete frame in them."""
        self._pending.append(chunk)
        self._missing -= len(chunk)
        if self._missing > 0:
            return b"", []
        data = b"".join((self._rest, *self._pending)) if len(self._pending) > 1 or self._rest else chunk
        self._pending.clear()
        spans: list[tuple[int, int]] = []
        at = 0
        while len(data) - at >= 8:
            (length,) = _LENGTH.unpack_from(data, at)
            if length > MOST_BYTES:
                raise BadInput(f"A frame has at most {MOST_BYTES:,} bytes; the stream announces one of {length:,}.")
            end = at + 8 + length + (-length % 8)
            if end > len(data):
                self._missing = end - len(data)
                break
            spans.append((at + 8, at + 8 + length))
            at = end
        else:
            self._missing = 8 - (len(data) - at)
        self._rest = data[at:]
        return data, spans

    def end(self) -> None:
        """Raise BadInput if the stream ends within a frame."""
        if self._rest or self._pending:
            raise BadInput("The stream ends in the middle of a frame.")


def split(stream: bytes) -> Iterator[tuple[int, int]]:
    """The start and stop of each frame in a complete stream."""
    splitter = Splitter()
    _, spans = splitter.feed(stream)
    splitter.end()
    yield from spans
